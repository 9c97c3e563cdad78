#include "graph.h"

#include <stdlib.h>
#include <string.h>

bool graph_make(struct graph *g, unsigned room)
{
  *g = (struct graph){.room = room, .table_room = 4 * room};
  g->node = malloc(room * sizeof *g->node);
  g->key = malloc(room * sizeof *g->key);
  g->table = calloc(g->table_room, sizeof *g->table);
  g->low = malloc(room * sizeof *g->low);
  g->index = malloc(room * sizeof *g->index);
  g->stack = malloc(room * sizeof *g->stack);
  g->todo = malloc(room * sizeof *g->todo);
  g->next = malloc(room);
  g->open = malloc(room);
  return g->node && g->key && g->table && g->low && g->index && g->stack && g->todo && g->next && g->open;
}

void graph_free(struct graph *g)
{
  void *const parts[] = {g->node, g->key, g->table, g->low, g->index, g->stack, g->todo, g->next, g->open};
  for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
    free(parts[i]);
}

static uint32_t slot_of(const struct graph *g, uint64_t key0, uint64_t key1)
{
  const uint64_t mixed = (key0 ^ key1 ^ key0 >> 29) * UINT64_C(0x9e3779b97f4a7c15);
  uint32_t at = (uint32_t)(mixed >> 32) & (g->table_room - 1);
  while (g->table[at] != 0) {
    const uint64_t *key = g->key[g->table[at] - 1];
    if (key[0] == key0 && key[1] == key1)
      break;
    at = (at + 1) & (g->table_room - 1);
  }
  return at;
}

void graph_clear(struct graph *g)
{
  if (g->count > g->room / 8)
    memset(g->table, 0, g->table_room * sizeof *g->table);
  else
    for (unsigned i = g->count; i-- > 0;) /* the latest first, so that each is found */
      g->table[slot_of(g, g->key[i][0], g->key[i][1])] = 0;
  g->count = 0;
  g->revisited = false;
}

int32_t graph_node_of(struct graph *g, uint64_t key0, uint64_t key1, bool *added)
{
  const uint32_t at = slot_of(g, key0, key1);
  *added = g->table[at] == 0;
  g->revisited |= !*added;
  if (!*added)
    return (int32_t)(g->table[at] - 1);
  if (g->count == g->room)
    return GRAPH_NONE;
  g->key[g->count][0] = key0;
  g->key[g->count][1] = key1;
  g->node[g->count] = (struct graph_node){.to = {GRAPH_NONE, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE}};
  g->table[at] = ++g->count;
  return (int32_t)(g->count - 1);
}

/* Strongly connected components: R. Tarjan, Depth-first search and linear graph algorithms, 1972. */
struct search {
  struct graph *g;
  unsigned starved, needs, depth, stacked;
  int32_t numbered;
};

static bool has(const struct search *s, const struct graph_node *n, unsigned slot)
{
  if (n->to[slot] == GRAPH_NONE)
    return false;
  return s->starved == 0 ||
         ((n->lanes[slot] & s->starved) == 0 && (s->g->node[n->to[slot]].eligible & s->starved) != 0);
}

/* The component of the nodes from `first` of the stack on. */
static bool stays_in(const struct search *s, unsigned first, int32_t root)
{
  const struct graph *g = s->g;
  unsigned runs = 0, needs = s->starved != 0 ? s->needs : UINT8_MAX;
  bool cycle = false;
  for (unsigned i = first; i < s->stacked; i++) {
    const struct graph_node *n = &g->node[g->stack[i]];
    if (s->starved == 0)
      needs &= n->needs;
    for (unsigned slot = 0; slot < GRAPH_SLOTS; slot++)
      if (has(s, n, slot) && g->open[n->to[slot]] && g->index[n->to[slot]] >= root) {
        cycle = true;
        runs |= n->who[slot];
      }
  }
  return cycle && (needs & ~runs) == 0;
}

static void enter(struct search *s, int32_t n)
{
  struct graph *g = s->g;
  g->index[n] = g->low[n] = s->numbered++;
  g->next[n] = 0;
  g->open[n] = 1;
  g->stack[s->stacked++] = n;
  g->todo[s->depth++] = n;
}

/* Returns true if a component in which a run can stay has been completed. */
static bool leave(struct search *s, int32_t n)
{
  struct graph *g = s->g;
  s->depth--;
  if (s->depth > 0 && g->low[n] < g->low[g->todo[s->depth - 1]])
    g->low[g->todo[s->depth - 1]] = g->low[n];
  if (g->low[n] != g->index[n])
    return false;
  unsigned first = s->stacked;
  while (g->stack[first - 1] != n)
    first--;
  first--;
  if (stays_in(s, first, g->index[n]))
    return true;
  while (s->stacked > first)
    g->open[g->stack[--s->stacked]] = 0;
  return false;
}

static bool search_from(struct search *s, int32_t root)
{
  struct graph *g = s->g;
  enter(s, root);
  while (s->depth > 0) {
    const int32_t n = g->todo[s->depth - 1];
    if (g->next[n] == GRAPH_SLOTS) {
      if (leave(s, n))
        return true;
      continue;
    }
    const unsigned slot = g->next[n]++;
    if (!has(s, &g->node[n], slot))
      continue;
    const int32_t to = g->node[n].to[slot];
    if (g->index[to] < 0)
      enter(s, to);
    else if (g->open[to] && g->index[to] < g->low[n])
      g->low[n] = g->index[to];
  }
  return false;
}

bool graph_stays(struct graph *g, unsigned starved, unsigned needs)
{
  struct search s = {.g = g, .starved = starved, .needs = needs};
  if (!g->revisited)
    return false;
  for (unsigned i = 0; i < g->count; i++) {
    g->index[i] = -1;
    g->open[i] = 0;
  }
  for (unsigned i = 0; i < g->count; i++)
    if (g->index[i] < 0 && (starved == 0 || (g->node[i].eligible & starved) != 0) && search_from(&s, (int32_t)i))
      return true;
  return false;
}
