#include "explore.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { MOST_NODES = 1 << 15, MOST_WAITING = 4096 };

struct waiting {
  int32_t node;
  struct model model;
};

bool explorer_make(struct explorer *e)
{
  *e = (struct explorer){.room = MOST_WAITING};
  e->waiting = malloc(MOST_WAITING * sizeof *e->waiting);
  return graph_make(&e->free, MOST_NODES) && graph_make(&e->graph, MOST_NODES) && e->waiting != NULL;
}

void explorer_free(struct explorer *e)
{
  graph_free(&e->free);
  graph_free(&e->graph);
  free(e->waiting);
}

static unsigned live_warps(const struct warp_run *run, const struct model *m)
{
  const unsigned live = model_live(run, m);
  unsigned warps = 0;
  for (unsigned w = 0; w < run->warps; w++)
    warps |= (live >> w * run->lanes & sl_low_bits(run->lanes)) != 0 ? 1u << w : 0;
  return warps;
}

static int32_t node_of(struct graph *g, const struct warp_run *run, const struct model *m, bool *added)
{
  uint8_t bytes[2 * STATE_BYTES];
  const XXH128_hash_t hash = XXH3_128bits(bytes, model_bytes(run, m, bytes));
  const int32_t node = graph_node_of(g, hash.low64, hash.high64, added);
  if (node != GRAPH_NONE && *added) {
    g->node[node].needs = (uint8_t)live_warps(run, m);
    g->node[node].eligible = (uint8_t)model_eligible(run, m);
  }
  return node;
}

/* One edge. Returns true if it leads to a new node, whose state is *m. */
static bool go(struct graph *g, const struct warp_run *run, struct model *m, int32_t from, unsigned slot,
               struct runs *runs, int32_t *to)
{
  const unsigned warp = slot / 2;
  unsigned ran = 0;
  bool added;
  const enum outcome outcome = model_step(run, m, warp, slot % 2 != 0, &ran);
  runs->filled |= m->filled;
  runs->held |= m->held;
  if (outcome == BROKEN)
    runs->broken = m->broken;
  if (outcome > WARP_ENDS) {
    runs->faults |= 1u << outcome;
    return false;
  }
  const char *wrong = outcome == WARP_ENDS ? NULL : model_broken(run, m, warp);
  if (wrong != NULL) {
    runs->broken = wrong;
    runs->faults |= 1u << BROKEN;
    return false;
  }
  if (live_warps(run, m) == 0) {
    runs->memories |= program_memory(m->word);
    return false;
  }
  *to = node_of(g, run, m, &added);
  runs->too_many |= *to == GRAPH_NONE;
  g->node[from].to[slot] = *to;
  g->node[from].who[slot] = (uint8_t)(1u << warp);
  g->node[from].lanes[slot] = (uint8_t)ran;
  return *to != GRAPH_NONE && added;
}

static unsigned slots_of(const struct warp_run *run, const struct model *m, unsigned slot[GRAPH_SLOTS])
{
  const unsigned warps = live_warps(run, m);
  unsigned count = 0;
  for (unsigned w = 0; w < run->warps; w++)
    if (warps >> w & 1) {
      slot[count++] = 2 * w;
      if (model_can_retry(run, m, w))
        slot[count++] = 2 * w + 1;
    }
  return count;
}

/* The state is the last one that waits. Its successors take its place. */
static void expand(struct explorer *e, const struct warp_run *run, unsigned *waiting, struct runs *runs)
{
  const size_t size = run->warps > 1 ? sizeof(struct model) : offsetof(struct model, warp[1]);
  struct waiting *from = &e->waiting[*waiting - 1];
  const int32_t node = from->node;
  unsigned slot[GRAPH_SLOTS], others = 0;
  int32_t to = GRAPH_NONE;
  const unsigned count = slots_of(run, &from->model, slot);
  for (unsigned i = 0; i + 1 < count && runs->broken == NULL; i++) {
    struct waiting *next = &from[1 + others];
    memcpy(&next->model, &from->model, size);
    if (!go(&e->graph, run, &next->model, node, slot[i], runs, &to))
      continue;
    next->node = to;
    others++;
  }
  *waiting += others;
  if (runs->broken != NULL)
    return;
  if (go(&e->graph, run, &from->model, node, slot[count - 1], runs, &to)) {
    from->node = to;
    return;
  }
  if (--*waiting, others > 0) {
    from->node = from[others].node;
    memcpy(&from->model, &from[others].model, size);
  }
}

static unsigned starved(struct graph *g, const struct warp_run *run)
{
  unsigned lanes = 0;
  for (unsigned i = 0; i < run->warps * run->lanes; i++)
    lanes |= graph_stays(g, 1u << i, 1u << i / run->lanes) ? 1u << i : 0;
  return lanes;
}

void explore(struct explorer *e, const struct warp_run *run, struct runs *runs)
{
  struct graph *g = &e->graph;
  unsigned waiting = 1;
  bool added;
  *runs = (struct runs){0};
  graph_clear(g);
  model_start(run, &e->waiting[0].model);
  e->waiting[0].node = node_of(g, run, &e->waiting[0].model, &added);
  while (waiting > 0 && runs->broken == NULL && !runs->too_many) {
    expand(e, run, &waiting, runs);
    runs->too_many |= waiting + GRAPH_SLOTS > e->room;
  }
  runs->states = g->count;
  if (runs->broken != NULL || runs->too_many)
    return;
  runs->stays = graph_stays(g, 0, 0);
  runs->starved = run->set->fair && (runs->stays || run->warps > 1) ? starved(g, run) : 0;
}

const char *runs_contradict(const struct setting *set, const struct free_runs *all, const struct runs *runs,
                            bool ends_together)
{
  if (runs->broken != NULL)
    return runs->broken;
  if ((runs->memories & ~all->memories) != 0)
    return "no order of the lanes leaves this memory";
  if (runs->faults & 1u << FAULT_MARK)
    return "a mark fails in a program whose marks are right";
  const bool ends = !all->stays;
  if ((runs->faults & 1u << FAULT_STUCK) && ends)
    return "all lanes wait at barriers, but every order of the lanes ends";
  if (!set->fair || runs->held)
    return NULL;
  if (runs->starved != 0)
    return "a lane never executes again";
  if (runs->stays && ends)
    return "the run does not end, but every order of the lanes does";
  if ((runs->faults & 1u << FAULT_COMMAND) && ends && ends_together)
    return "lanes are at a command alone, but every order of the lanes ends";
  return NULL;
}
