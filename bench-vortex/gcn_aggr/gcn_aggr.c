// Aggregation step of a graph convolutional network (Kipf and Welling 2017): each node's features become the weighted
// sum of its neighbours'. The graph is a sparse matrix by rows (CSR). An item is a feature of a node.

#include "../common/vortex_bench.h"

#include <string.h>

enum { FEATURES = 16 };

struct arguments {
  struct vx_work work;       // of all features of all nodes
  const unsigned *offsets;   // first edge of each node; the next node's first edge ends the list
  const unsigned *neighbour; // per edge
  const float *weight;       // per edge
  const float *in;
  float *out;
};

// Address of the feature of node 0. It stays in a register; otherwise the compiler would recompute it for each edge.
static inline const float *feature(const float *in, unsigned i)
{
  in += i % FEATURES;
  __asm__("" : "+r"(in));
  return in;
}

#if defined PREDICATED

static void gcn_aggr(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, harts = arg->work.harts;
  unsigned i = vx_hart_id();
  const float *const in = feature(arg->in, i); // harts are a multiple of FEATURES, see main
  const unsigned *offset = arg->offsets + i / FEATURES;
  float *out = arg->out + i;
  SIMT_IF (i < n) {
    PREDICATED_DO {
      unsigned e = offset[0];
      const unsigned end = offset[1], *neighbour = arg->neighbour + e;
      const float *weight = arg->weight + e;
      float sum = 0;
      PREDICATED_DO {
        sum = __builtin_fmaf(*weight, in[*neighbour * FEATURES], sum);
      } PREDICATED_WHILE(e++, e < end, (neighbour++, weight++));
      *out = sum;
    } PREDICATED_WHILE(i += harts, i < n, (offset += harts / FEATURES, out += harts));
  } SIMT_ENDIF
}

#elif UNROLL > 1

static void gcn_aggr(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, harts = arg->work.harts;
  unsigned i = vx_hart_id();
  const float *const in = feature(arg->in, i); // harts are a multiple of FEATURES, see main
  const unsigned *offset = arg->offsets + i / FEATURES;
  float *out = arg->out + i;
#define EDGE                                                                                                           \
  sum = __builtin_fmaf(*weight, in[*neighbour * FEATURES], sum);                                                       \
  neighbour++;                                                                                                         \
  weight++;
  SIMT_FOR ((void)0, i < n, i += harts) {
    const unsigned *neighbour = arg->neighbour + offset[0], *const end = arg->neighbour + offset[1];
    const float *weight = arg->weight + offset[0];
    float sum = 0;
    SIMT_WHILE (neighbour + UNROLL - 1 < end) {
      UNROLLED(EDGE)
    }
    SIMT_WHILE (neighbour < end) {
      EDGE
    }
    *out = sum;
    offset += harts / FEATURES;
    out += harts;
  }
}

#else

// Hardware loops: a warp's lanes must have equally many edges. They are at one node if lanes do not exceed FEATURES.
static void gcn_aggr(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, harts = arg->work.harts;
  unsigned i = vx_hart_id();
  const struct vx_share share = vx_deal(&arg->work);
  if (share.rounds == 0)
    return;
  SIMT_LOOP_SET(items, 0, share.rounds, share.tail);
  SIMT_LOOP_SET(neighbours, 1, 1, ~0u);
  const float *const in = feature(arg->in, i); // harts are a multiple of FEATURES, see main
  const unsigned *offset = arg->offsets + i / FEATURES, *neighbour, *end;
  const float *weight;
  float *out = arg->out + i - harts, x;
  SIMT_SUM(sum);
  SIMT_LOOP (items, i < n) {
    const unsigned first = offset[0], degree = offset[1] - first;
    neighbour = arg->neighbour + first;
    weight = arg->weight + first;
    end = neighbour + degree;
    SIMT_LOOP_ROUNDS(neighbours, 1, degree);
    sum = 0;
    offset += harts / FEATURES;
    out += harts;
    SIMT_LOOP (neighbours, 1) {
      x = in[*neighbour * FEATURES];
      neighbour++;
      weight++;
    } SIMT_LOOP_SUM(neighbours, sum, weight[-1], x, (void)0, neighbour < end);
  } SIMT_LOOP_STORE(items, out, sum, i += harts, i < n);
}

#endif

#ifdef SIMT_CFM

// Lanes at different nodes: only the loop over items is a hardware loop.
static void gcn_aggr_wide(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, harts = arg->work.harts;
  unsigned i = vx_hart_id();
  const struct vx_share share = vx_deal(&arg->work);
  if (share.rounds == 0)
    return;
  SIMT_LOOP_SET(wide, 0, share.rounds, share.tail);
  const float *const in = feature(arg->in, i);
  const unsigned *offset = arg->offsets + i / FEATURES;
  float *out = arg->out + i - harts, sum;
  SIMT_LOOP (wide, i < n) {
    const unsigned *neighbour = arg->neighbour + offset[0], *const end = arg->neighbour + offset[1];
    const float *weight = arg->weight + offset[0];
    sum = 0;
    SIMT_DO {
      sum = __builtin_fmaf(*weight, in[*neighbour * FEATURES], sum);
      neighbour++;
      weight++;
    } SIMT_DO_WHILE(neighbour < end);
    offset += harts / FEATURES;
    out += harts;
  } SIMT_LOOP_STORE(wide, out, sum, i += harts, i < n);
}

#else
#define gcn_aggr_wide gcn_aggr
#endif

static void check(const void *argument)
{
  const struct arguments *arg = vx_argument(argument);
  const unsigned n = arg->work.n, harts = arg->work.harts;
  SIMT_FOR (unsigned i = vx_hart_id(), i < n, i += harts) {
    const unsigned node = i / FEATURES, end = arg->offsets[node + 1];
    float sum = 0;
    SIMT_FOR (unsigned e = arg->offsets[node], e < end, e++) {
      const unsigned from = arg->neighbour[e] * FEATURES + i % FEATURES;
      sum = __builtin_fmaf(arg->weight[e], bench_value(from, 1), sum);
    }
    bench_expect(arg->out[i], sum);
  }
}

#define GRAPH(name) extern const unsigned name##_offsets[], name##_neighbours[];                                              \
  extern const float name##_weights[];
GRAPH(cora)
GRAPH(citeseer)
GRAPH(pubmed)

int main(int argc, char **argv)
{
  static const struct {
    const char *name;
    unsigned nodes, edges;
    const unsigned *offsets, *neighbours;
    const float *weights;
  } graphs[] = {{"cora", 2708, 10556, cora_offsets, cora_neighbours, cora_weights},
                {"citeseer", 3327, 9104, citeseer_offsets, citeseer_neighbours, citeseer_weights},
                {"pubmed", 19717, 88648, pubmed_offsets, pubmed_neighbours, pubmed_weights}};
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
  const struct arguments arg = {vx_divide(n),      graphs[g].offsets, graphs[g].neighbours,
                                graphs[g].weights, bench_array(n, 1), bench_array(n, 0)};
  return bench_run("gcn_aggr", vx_num_threads() <= FEATURES ? gcn_aggr : gcn_aggr_wide, check, &arg, graphs[g].nodes,
                   (uint64_t)graphs[g].edges * FEATURES);
}
