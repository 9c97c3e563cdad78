#include "base/dominators.h"

#include <stdlib.h>

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
