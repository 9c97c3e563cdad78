/* Writes the graphs of gcn_aggr as assembly, each as a sparse matrix by rows (CSR): `offsets`, where the edges of each node
 * begin and the last node's end; `neighbours`, the node at the other end of each edge; `weights`.
 *
 * Nodes and edges are as many as in the citation graphs Cora, CiteSeer and PubMed (Sen et al., "Collective
 * Classification in Network Data", 2008; counts of directed edges as in the Planetoid releases); which nodes are linked
 * is random, with a fixed seed. Every node has a neighbour; the other edges go to nodes with a skew, as citations do.
 * The weight of an edge is that of Kipf and Welling (2017), 1 / sqrt(degree of one end * degree of the other).
 *
 * A program of the machine that builds, not of the one that is simulated. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct graph {
  const char *name;
  unsigned nodes, edges;
};

static const struct graph graphs[] = {{"cora", 2708, 10556}, {"citeseer", 3327, 9104}, {"pubmed", 19717, 88648}};

/* Xorshift generator (Marsaglia 2003). */
static uint32_t next(uint32_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

static unsigned below(uint32_t *state, unsigned n)
{
  return (unsigned)((uint64_t)next(state) * n >> 32);
}

static void print_words(const char *graph, const char *what, const uint32_t *words, unsigned count)
{
  printf("\t.balign 64\n\t.globl %s_%s\n%s_%s:\n", graph, what, graph, what);
  for (unsigned i = 0; i < count; i++)
    printf(i % 16 == 0 ? "\n\t.word %u" : ",%u", (unsigned)words[i]);
  printf("\n");
}

static uint32_t bits(float x)
{
  union {
    float f;
    uint32_t u;
  } pun = {.f = x};
  return pun.u;
}

static int print_graph(const struct graph *g, uint32_t state)
{
  uint32_t *first = calloc(g->nodes + 1, sizeof *first);
  uint32_t *neighbours = malloc(g->edges * sizeof *neighbours), *weights = malloc(g->edges * sizeof *weights);
  if (first == NULL || neighbours == NULL || weights == NULL)
    return 0;
  for (unsigned i = 0; i < g->edges; i++) {
    const unsigned any = below(&state, g->nodes);
    const unsigned node = i < g->nodes ? i : i % 2 ? any : below(&state, any + 1);
    first[node + 1]++;
  }
  for (unsigned i = 0; i < g->nodes; i++)
    first[i + 1] += first[i];
  for (unsigned node = 0; node < g->nodes; node++)
    for (unsigned e = first[node]; e < first[node + 1]; e++) {
      const unsigned other = below(&state, g->nodes);
      neighbours[e] = other;
      weights[e] = bits(1 / sqrtf((float)(first[node + 1] - first[node]) * (float)(first[other + 1] - first[other])));
    }
  print_words(g->name, "offsets", first, g->nodes + 1);
  print_words(g->name, "neighbours", neighbours, g->edges);
  print_words(g->name, "weights", weights, g->edges);
  free(first);
  free(neighbours);
  free(weights);
  return 1;
}

int main(void)
{
  printf("# Made by bench-vortex/gcn_aggr/graph.c.\n\t.section .rodata\n");
  for (unsigned i = 0; i < sizeof graphs / sizeof graphs[0]; i++)
    if (!print_graph(&graphs[i], 2463534242u + i))
      return EXIT_FAILURE;
  return EXIT_SUCCESS;
}
