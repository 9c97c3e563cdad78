// Aggregation step of a graph convolutional network (Kipf and Welling 2017): each node's features become the weighted
// sum of its neighbours'. An item is a feature of a node.

#include "../common/vortex_bench.h"

#include <string.h>

enum { FEATURES = 16 };

struct node {
  unsigned first, degree; // where its edges begin, in bytes, and how many these are
};

struct edge {
  unsigned from; // where the neighbour's features begin, in bytes
  float weight;
};

struct arguments {
  struct vx_work work; // of all features of all nodes
  const struct node *nodes;
  const struct edge *edges;
  const float *in;
  float *out;
};

static inline const struct edge *edges_of(const struct edge *edges, const struct node *node)
{
  return (const struct edge *)((const char *)edges + node->first);
}

static inline float neighbour(const float *feature, const struct edge *edge)
{
  return *(const float *)((const char *)feature + edge->from);
}

// The feature of node 0; in a register, where the compiler would add its parts for each edge.
static inline const float *feature(const float *in, unsigned i)
{
  in += i % FEATURES;
  __asm__("" : "+r"(in));
  return in;
}

#if UNROLL > 1

static void gcn_aggr(const void *argument)
{
  const struct arguments *arg = argument;
  const unsigned n = arg->work.n, harts = arg->work.harts;
  const struct edge *const edges = arg->edges;
  unsigned i = vx_hart_id();
  const float *const in = feature(arg->in, i); // harts are a multiple of FEATURES, see main
  const struct node *node = arg->nodes + i / FEATURES;
  float *out = arg->out + i;
#define EDGE                                                                                                           \
  sum = __builtin_fmaf(edge->weight, neighbour(in, edge), sum);                                                  \
  edge++;
  SIMT_FOR ((void)0, i < n, i += harts) {
    const struct edge *edge = edges_of(edges, node), *const end = edge + node->degree;
    float sum = 0;
    SIMT_WHILE (edge + UNROLL - 1 < end) {
      UNROLLED(EDGE)
    }
    SIMT_WHILE (edge < end) {
      EDGE
    }
    *out = sum;
    node += harts / FEATURES;
    out += harts;
  }
}

#else

// With loops in hardware, lanes of a warp have as many edges: they are at one node, if there are no more than features.
static void gcn_aggr(const void *argument)
{
  const struct arguments *arg = argument;
  const unsigned n = arg->work.n, harts = arg->work.harts;
  const struct edge *const edges = arg->edges;
  unsigned i = vx_hart_id();
  const struct vx_share share = vx_deal(&arg->work);
  if (share.rounds == 0)
    return;
  SIMT_LOOP_SET(items, 0, share.rounds, share.tail);
  SIMT_LOOP_SET(neighbours, 1, 1, ~0u);
  const float *const in = feature(arg->in, i); // harts are a multiple of FEATURES, see main
  const struct node *node = arg->nodes + i / FEATURES;
  float *out = arg->out + i - harts, x;
  const struct edge *edge, *end;
  SIMT_SUM(sum);
  SIMT_LOOP (items, i < n) {
    const unsigned degree = node->degree;
    edge = edges_of(edges, node);
    end = edge + degree;
    SIMT_LOOP_ROUNDS(neighbours, 1, degree);
    sum = 0;
    node += harts / FEATURES;
    out += harts;
    SIMT_LOOP (neighbours, 1) {
      x = neighbour(in, edge);
      edge++;
    } SIMT_LOOP_SUM(neighbours, sum, edge[-1].weight, x, (void)0, edge < end);
  } SIMT_LOOP_STORE(items, out, sum, i += harts, i < n);
}

#endif

#ifdef SIMT_CFM

// Lanes at different nodes: only the items are a loop in hardware.
static void gcn_aggr_wide(const void *argument)
{
  const struct arguments *arg = argument;
  const unsigned n = arg->work.n, harts = arg->work.harts;
  const struct edge *const edges = arg->edges;
  unsigned i = vx_hart_id();
  const struct vx_share share = vx_deal(&arg->work);
  if (share.rounds == 0)
    return;
  SIMT_LOOP_SET(wide, 0, share.rounds, share.tail);
  const float *const in = feature(arg->in, i);
  const struct node *node = arg->nodes + i / FEATURES;
  float *out = arg->out + i - harts, sum;
  SIMT_LOOP (wide, i < n) {
    const struct edge *edge = edges_of(edges, node), *const end = edge + node->degree;
    sum = 0;
    SIMT_DO {
      sum = __builtin_fmaf(edge->weight, neighbour(in, edge), sum);
      edge++;
    } SIMT_DO_WHILE(edge < end);
    node += harts / FEATURES;
    out += harts;
  } SIMT_LOOP_STORE(wide, out, sum, i += harts, i < n);
}

#else
#define gcn_aggr_wide gcn_aggr
#endif

static void check(const void *argument)
{
  const struct arguments *arg = argument;
  const unsigned n = arg->work.n, harts = arg->work.harts;
  SIMT_FOR (unsigned i = vx_hart_id(), i < n, i += harts) {
    const struct node *const node = arg->nodes + i / FEATURES;
    const struct edge *const first = edges_of(arg->edges, node);
    float sum = 0;
    SIMT_FOR (unsigned e = 0, e < node->degree, e++) {
      sum = __builtin_fmaf(first[e].weight, bench_value(first[e].from / sizeof(float) + i % FEATURES, 1), sum);
    }
    bench_expect(arg->out[i], sum);
  }
}

#define GRAPH(name) extern const struct node name##_nodes[];                                                                 \
  extern const struct edge name##_edges[];
GRAPH(cora)
GRAPH(citeseer)
GRAPH(pubmed)

int main(int argc, char **argv)
{
  static const struct {
    const char *name;
    unsigned nodes, edges;
    const struct node *first;
    const struct edge *data;
  } graphs[] = {{"cora", 2708, 10556, cora_nodes, cora_edges},
                {"citeseer", 3327, 9104, citeseer_nodes, citeseer_edges},
                {"pubmed", 19717, 88648, pubmed_nodes, pubmed_edges}};
  unsigned g = 0;
  while (g < 3 && argc > 1 && strcmp(argv[1], graphs[g].name) != 0)
    g++;
  if (g == 3 || vx_harts() % FEATURES != 0) {
    printf(g == 3 ? "unknown graph '%s': cora, citeseer or pubmed\n" : "%s: not for a number of threads that is no "
                                                                       "multiple of 16\n",
           argv[g == 3]);
    return EXIT_FAILURE;
  }
  const unsigned n = graphs[g].nodes * FEATURES;
  const struct arguments arg = {vx_divide(n), graphs[g].first, graphs[g].data,
                                bench_array(n, 1), bench_array(n, 0)};
  return bench_run("gcn_aggr", vx_num_threads() <= FEATURES ? gcn_aggr : gcn_aggr_wide, check, &arg, graphs[g].nodes,
                   (uint64_t)graphs[g].edges * FEATURES);
}
