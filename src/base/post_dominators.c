#include "base/post_dominators.h"

#include <stdlib.h>

#define NONE SL_NO_POST_DOMINATOR

struct graph {
  const uint32_t (*next)[2];
  uint32_t nodes;
  uint32_t *before, *before_start;   /* predecessors of each node, one slice per node */
  uint32_t *order, *number, ordered; /* nodes in postorder of the reversed graph, and each node's index there */
  uint32_t *stack, *position;
  uint32_t *ipdom;
};

static bool make_room(struct graph *g)
{
  const size_t nodes = g->nodes;
  g->before = malloc(2 * nodes * sizeof *g->before);
  g->before_start = calloc(nodes + 2, sizeof *g->before_start);
  g->order = malloc(nodes * sizeof *g->order);
  g->number = malloc(nodes * sizeof *g->number);
  g->stack = malloc(nodes * sizeof *g->stack);
  g->position = malloc(nodes * sizeof *g->position);
  return g->before && g->before_start && g->order && g->number && g->stack && g->position;
}

static void release(struct graph *g)
{
  free(g->before);
  free(g->before_start);
  free(g->order);
  free(g->number);
  free(g->stack);
  free(g->position);
}

static void reverse(struct graph *g)
{
  for (uint32_t node = 1; node < g->nodes; node++)
    for (unsigned i = 0; i < 2; i++)
      g->before_start[g->next[node][i] + 2]++;
  for (uint32_t i = 2; i < g->nodes + 1; i++)
    g->before_start[i] += g->before_start[i - 1];
  for (uint32_t node = 1; node < g->nodes; node++)
    for (unsigned i = 0; i < 2; i++)
      g->before[g->before_start[g->next[node][i] + 1]++] = node;
}

/* Walks the reversed graph from the end. */
static void number_nodes(struct graph *g)
{
  uint32_t depth = 1;
  for (uint32_t i = 0; i < g->nodes; i++)
    g->number[i] = NONE, g->ipdom[i] = NONE, g->position[i] = g->before_start[i];
  g->stack[0] = 0;
  g->number[0] = 0;
  while (depth > 0) {
    const uint32_t node = g->stack[depth - 1];
    if (g->position[node] == g->before_start[node + 1]) {
      g->number[node] = g->ordered;
      g->order[g->ordered++] = node;
      depth--;
      continue;
    }
    const uint32_t other = g->before[g->position[node]++];
    if (g->number[other] == NONE) {
      g->number[other] = 0; /* visited */
      g->stack[depth++] = other;
    }
  }
}

static uint32_t meet(const struct graph *g, uint32_t a, uint32_t b)
{
  while (a != b) {
    while (g->number[a] < g->number[b])
      a = g->ipdom[a];
    while (g->number[b] < g->number[a])
      b = g->ipdom[b];
  }
  return a;
}

static void dominate(struct graph *g)
{
  bool changed = true;
  g->ipdom[0] = 0;
  while (changed) {
    changed = false;
    for (uint32_t i = g->ordered - 1; i-- > 0;) {
      const uint32_t node = g->order[i], a = g->next[node][0], b = g->next[node][1];
      const bool has_a = g->ipdom[a] != NONE, has_b = g->ipdom[b] != NONE;
      const uint32_t now = has_a && has_b ? meet(g, a, b) : has_a ? a : b;
      changed |= now != g->ipdom[node];
      g->ipdom[node] = now;
    }
  }
}

bool sl_post_dominators(const uint32_t (*next)[2], uint32_t nodes, uint32_t *ipdom)
{
  struct graph g = {.next = next, .nodes = nodes, .ipdom = ipdom};
  const bool room = make_room(&g);
  if (room) {
    reverse(&g);
    number_nodes(&g);
    dominate(&g);
  }
  release(&g);
  return room;
}
