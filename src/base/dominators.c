#include "base/dominators.h"

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
static void dominators_number_nodes(struct graph *g)
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

static uint32_t dominators_meet(const struct graph *g, uint32_t a, uint32_t b)
{
  while (a != b) {
    while (g->number[a] < g->number[b])
      a = g->ipdom[a];
    while (g->number[b] < g->number[a])
      b = g->ipdom[b];
  }
  return a;
}

static void dominators_dominate(struct graph *g)
{
  bool changed = true;
  g->ipdom[0] = 0;
  while (changed) {
    changed = false;
    for (uint32_t i = g->ordered - 1; i-- > 0;) {
      const uint32_t node = g->order[i], a = g->next[node][0], b = g->next[node][1];
      const bool has_a = g->ipdom[a] != NONE, has_b = g->ipdom[b] != NONE;
      const uint32_t now = has_a && has_b ? dominators_meet(g, a, b) : has_a ? a : b;
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
    dominators_number_nodes(&g);
    dominators_dominate(&g);
  }
  release(&g);
  return room;
}

/* Depth-first search without recursion; `position` is the next successor of each node on the stack. */
static void number_nodes(struct sl_dominators *d, const struct sl_graph *g, uint32_t *stack, uint32_t *position)
{
  uint32_t depth = 1, left = g->nodes;
  for (uint32_t n = 0; n < g->nodes; n++) {
    d->place[n] = SL_NO_NODE;
    position[n] = g->first[n];
  }
  stack[0] = 0;
  d->place[0] = 0;
  while (depth > 0) {
    const uint32_t node = stack[depth - 1];
    if (position[node] == g->first[node + 1]) {
      d->order[--left] = node;
      depth--;
      continue;
    }
    const uint32_t other = g->to[position[node]++];
    if (d->place[other] == SL_NO_NODE) {
      d->place[other] = 0; /* visited */
      stack[depth++] = other;
    }
  }
  d->count = g->nodes - left;
  for (uint32_t i = 0; i < d->count; i++) {
    d->order[i] = d->order[left + i];
    d->place[d->order[i]] = i;
  }
}

static uint32_t meet(const struct sl_dominators *d, uint32_t a, uint32_t b)
{
  while (a != b) {
    while (d->place[a] > d->place[b])
      a = d->immediate[a];
    while (d->place[b] > d->place[a])
      b = d->immediate[b];
  }
  return a;
}

/* Propagates dominators in reverse postorder; `now` holds the values of this iteration. One iteration suffices for
 * reducible graphs. */
static void dominate(struct sl_dominators *d, const struct sl_graph *g, uint32_t *now)
{
  for (uint32_t n = 0; n < g->nodes; n++)
    d->immediate[n] = SL_NO_NODE;
  d->immediate[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = 0; n < g->nodes; n++)
      now[n] = SL_NO_NODE;
    for (uint32_t i = 0; i < d->count; i++) {
      const uint32_t node = d->order[i];
      if (d->immediate[node] == SL_NO_NODE)
        d->immediate[node] = now[node];
      for (uint32_t k = g->first[node]; k < g->first[node + 1]; k++)
        now[g->to[k]] = now[g->to[k]] == SL_NO_NODE ? node : meet(d, now[g->to[k]], node);
    }
    for (uint32_t i = 1; i < d->count; i++) {
      const uint32_t node = d->order[i];
      changed |= now[node] != d->immediate[node];
      d->immediate[node] = now[node];
    }
  }
}

bool sl_dominators_find(struct sl_dominators *d, const struct sl_graph *graph)
{
  const size_t n = graph->nodes;
  uint32_t *stack = malloc(n * sizeof *stack), *position = malloc(n * sizeof *position);
  *d = (struct sl_dominators){
      .order = malloc(n * sizeof *d->order),
      .place = malloc(n * sizeof *d->place),
      .immediate = malloc(n * sizeof *d->immediate),
  };
  const bool room = stack && position && d->order && d->place && d->immediate;
  if (room) {
    number_nodes(d, graph, stack, position);
    dominate(d, graph, position);
  } else {
    sl_dominators_free(d);
  }
  free(stack);
  free(position);
  return room;
}

void sl_dominators_free(struct sl_dominators *d)
{
  free(d->order);
  free(d->place);
  free(d->immediate);
  *d = (struct sl_dominators){.order = NULL};
}

bool sl_dominates(const struct sl_dominators *d, uint32_t a, uint32_t b)
{
  while (d->place[b] > d->place[a])
    b = d->immediate[b];
  return a == b;
}
