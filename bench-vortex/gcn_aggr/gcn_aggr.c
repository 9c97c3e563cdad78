// Aggregation step of a graph convolutional network (Kipf and Welling 2017): each node's features become the weighted
// sum of its neighbours'. An item is a feature of a node.

#include "../common/vortex_bench.h"

#include <string.h>

enum { FEATURES = 16 };

struct edge {
  unsigned from;
  float weight;
};

struct arguments {
  unsigned nodes;
  const unsigned *first; // edges of node i: first[i] to first[i + 1] - 1
  const struct edge *edges;
  const float *in;
  float *out;
};

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
  const unsigned n = arg->nodes * FEATURES, harts = vx_harts();
  const struct edge *const edges = arg->edges;
  unsigned i = vx_hart_id();
  const float *const in = feature(arg->in, i); // harts are a multiple of FEATURES, see main
  const unsigned *first = arg->first + i / FEATURES;
  float *out = arg->out + i;
#define EDGE                                                                                                           \
  sum = __builtin_fmaf(edge->weight, in[edge->from * FEATURES], sum);                                                  \
  edge++;
  SIMT_FOR ((void)0, i < n, i += harts) {
    const struct edge *edge = edges + first[0], *const end = edges + first[1];
    float sum = 0;
    SIMT_WHILE (edge + UNROLL - 1 < end) {
      UNROLLED(EDGE)
    }
    SIMT_WHILE (edge < end) {
      EDGE
    }
    *out = sum;
    first += harts / FEATURES;
    out += harts;
  }
}

#else

// With loops in hardware, lanes of a warp have as many edges: they are at one node, if there are no more than features.
static void gcn_aggr(const void *argument)
{
  const struct arguments *arg = argument;
  const unsigned n = arg->nodes * FEATURES, harts = vx_harts();
  const struct edge *const edges = arg->edges;
  unsigned i = vx_hart_id();
  const struct vx_share share = vx_deal(n, harts);
  if (share.rounds == 0)
    return;
  SIMT_LOOP_SET(items, 0, share.rounds, share.tail);
  SIMT_LOOP_SET(neighbours, 1, 1, ~0u);
  const float *const in = feature(arg->in, i); // harts are a multiple of FEATURES, see main
  const unsigned *first = arg->first + i / FEATURES;
  float *out = arg->out + i - harts, x;
  const struct edge *edge, *end;
  SIMT_SUM(sum);
  SIMT_LOOP (items, i < n) {
    const unsigned degree = first[1] - first[0];
    edge = edges + first[0];
    end = edge + degree;
    SIMT_LOOP_ROUNDS(neighbours, 1, degree);
    sum = 0;
    first += harts / FEATURES;
    out += harts;
    SIMT_LOOP (neighbours, 1) {
      x = in[edge->from * FEATURES];
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
  const unsigned n = arg->nodes * FEATURES, harts = vx_harts();
  const struct edge *const edges = arg->edges;
  unsigned i = vx_hart_id();
  const struct vx_share share = vx_deal(n, harts);
  if (share.rounds == 0)
    return;
  SIMT_LOOP_SET(wide, 0, share.rounds, share.tail);
  const float *const in = feature(arg->in, i);
  const unsigned *first = arg->first + i / FEATURES;
  float *out = arg->out + i - harts, sum;
  SIMT_LOOP (wide, i < n) {
    const struct edge *edge = edges + first[0], *const end = edges + first[1];
    sum = 0;
    SIMT_DO {
      sum = __builtin_fmaf(edge->weight, in[edge->from * FEATURES], sum);
      edge++;
    } SIMT_DO_WHILE(edge < end);
    first += harts / FEATURES;
    out += harts;
  } SIMT_LOOP_STORE(wide, out, sum, i += harts, i < n);
}

#else
#define gcn_aggr_wide gcn_aggr
#endif

static void check(const void *argument)
{
  const struct arguments *arg = argument;
  const unsigned harts = vx_harts();
  SIMT_FOR (unsigned i = vx_hart_id(), i < arg->nodes * FEATURES, i += harts) {
    const unsigned node = i / FEATURES, column = i % FEATURES;
    float sum = 0;
    SIMT_FOR (unsigned e = arg->first[node], e < arg->first[node + 1], e++) {
      sum = __builtin_fmaf(arg->edges[e].weight, bench_value(arg->edges[e].from * FEATURES + column, 1), sum);
    }
    bench_expect(arg->out[i], sum);
  }
}

#define GRAPH(name) extern const unsigned name##_first[];                                                                    \
  extern const struct edge name##_edges[];
GRAPH(cora)
GRAPH(citeseer)
GRAPH(pubmed)

int main(int argc, char **argv)
{
  static const struct {
    const char *name;
    unsigned nodes, edges;
    const unsigned *first;
    const struct edge *data;
  } graphs[] = {{"cora", 2708, 10556, cora_first, cora_edges},
                {"citeseer", 3327, 9104, citeseer_first, citeseer_edges},
                {"pubmed", 19717, 88648, pubmed_first, pubmed_edges}};
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
  const struct arguments arg = {graphs[g].nodes, graphs[g].first, graphs[g].data,
                                bench_array(n, 1), bench_array(n, 0)};
  return bench_run("gcn_aggr", vx_num_threads() <= FEATURES ? gcn_aggr : gcn_aggr_wide, check, &arg, graphs[g].nodes,
                   (uint64_t)graphs[g].edges * FEATURES);
}
