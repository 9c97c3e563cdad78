/* The schedulable convergence stack of Vortex as its authors' simulator has it (SCS, a stack per split).
 *
 * A *split* is a group of lanes that runs in turn with others: its lanes, its pc and its own stack of open SPLITs.
 * Lanes that leave a loop by PRED are pending splits of the running one: they join it again if all its lanes leave the
 * loop. YIELD, and lanes that end, first move all pending splits to the end of the pool; then the running lanes go
 * there, and the first split of the pool runs. So lanes may change between SPLIT and JOIN, and loops do not mix.
 *
 * A pending split gets a copy of the stack in the simulator. The lanes that wait in the stack stay with the running
 * split, so that each lane belongs to one split, and the copy lets its lanes pass its JOINs. A copy is therefore a
 * depth alone. Departure: in the simulator both splits resume the lanes that wait, and lanes that leave a loop take
 * those along that have left an outer one.
 *
 * Source: Vortex, branch for thread splits, sim/simx/scheduler.cpp and wctl_unit.cpp, commit fcbac91f. */
#include "convergence/ipdom_stack.h"

#include <string.h>

/* An open SPLIT. Free ones are 0. */
struct level {
  sl_lanes restore; /* lanes that go on together behind the JOIN */
  sl_lanes other;   /* 0 after they have started */
  uint32_t pc;      /* start of the other side */
  uint16_t depth;   /* open SPLITs around it */
  uint8_t below;    /* number of the next outer one of its split; 0: none */
  uint8_t used;
};

/* Lanes that do not run. */
struct split {
  sl_lanes lanes;
  uint32_t pc;
  uint16_t depth; /* open SPLITs around its pc. It passes the JOINs of those that are not in its list */
  uint8_t top;    /* number of its innermost open SPLIT, from 1; 0: none */
  uint8_t unused;
};

/* The splits are disjoint, so there are at most as many as lanes: those of the pool, the one that waits longest first,
 * and behind them the pending ones. The free places are 0. */
struct splits {
  sl_lanes done; /* lanes that have ended while others were parked */
  uint32_t count, pending;
  uint8_t top; /* of the lanes that run */
  uint8_t unused[7];
  struct split split[SL_MAX_LANES];
  struct level level[SL_SPLIT_LEVELS];
};

SL_HOLDS(SL_IPDOM_OWN, sizeof(struct splits), "splits and their stacks");

static struct splits *splits_of(struct sl_ipdom_warp *p)
{
  return (struct splits *)(void *)p->own;
}

static const struct splits *splits_of_const(const struct sl_ipdom_warp *p)
{
  return (const struct splits *)(const void *)p->own;
}

static void start(void *warp)
{
  struct sl_ipdom_warp *p = warp;
  memset(p->own, 0, sizeof p->own);
  p->depth = 0;
}

static bool apart(const void *warp)
{
  const struct splits *s = splits_of_const(warp);
  return s->count + s->pending > 0;
}

static struct level *level_of(struct splits *s, unsigned number)
{
  return &s->level[number - 1];
}

/* Lanes that have left a loop which the running ones are still in. */
static sl_lanes pending_lanes(const struct splits *s)
{
  sl_lanes lanes = 0;
  for (unsigned i = s->count; i < s->count + s->pending; i++)
    lanes |= s->split[i].lanes;
  return lanes;
}

/* ---- the stack of the lanes that run ----------------------------------------------------------------------------- */

static enum sl_marked push(struct sl_ipdom_warp *p, const struct sl_mark *m)
{
  struct splits *s = splits_of(p);
  unsigned number = 1;
  while (number <= SL_SPLIT_LEVELS && level_of(s, number)->used)
    number++;
  if (number > SL_SPLIT_LEVELS || p->depth >= m->room)
    return SL_MARKED_FULL;
  *level_of(s, number) = (struct level){.restore = m->lanes | m->others,
                                        .other = m->others,
                                        .pc = p->pc,
                                        .depth = (uint16_t)p->depth++,
                                        .below = s->top,
                                        .used = 1};
  s->top = (uint8_t)number;
  p->mask = m->lanes;
  return SL_MARKED;
}

static void close_top(struct splits *s)
{
  struct level *l = level_of(s, s->top);
  s->top = l->below;
  *l = (struct level){0};
}

static enum sl_marked pop(struct sl_ipdom_warp *p)
{
  struct splits *s = splits_of(p);
  if (p->depth == 0)
    return SL_MARKED_EMPTY;
  struct level *l = s->top != 0 ? level_of(s, s->top) : NULL;
  if (l == NULL || l->depth + 1u != p->depth) { /* a JOIN of the split that these lanes were part of */
    p->depth--;
    return SL_MARKED;
  }
  if (l->other != 0) {
    p->mask = l->other;
    p->pc = l->pc;
    l->other = 0;
    return SL_MARKED_JUMPED;
  }
  p->mask = l->restore & ~pending_lanes(s);
  p->depth--;
  close_top(s);
  return SL_MARKED;
}

/* ---- splits ------------------------------------------------------------------------------------------------------ */

static void drop(struct splits *s, unsigned i)
{
  const unsigned all = s->count + s->pending;
  memmove(&s->split[i], &s->split[i + 1], (all - i - 1) * sizeof s->split[0]);
  s->split[all - 1] = (struct split){0};
}

static enum sl_marked predicate(struct sl_ipdom_warp *p, const struct sl_mark *m)
{
  struct splits *s = splits_of(p);
  const sl_lanes leave = p->mask & ~m->lanes;
  if (m->lanes != 0 && leave != 0) {
    if (s->count + s->pending == SL_MAX_LANES)
      return SL_MARKED_FULL;
    s->split[s->count + s->pending++] = (struct split){.lanes = leave, .pc = p->pc, .depth = (uint16_t)p->depth};
  }
  if (m->lanes != 0) {
    p->mask = m->lanes;
    return SL_MARKED;
  }
  for (unsigned i = s->count + s->pending; i-- > s->count;) {
    if (s->split[i].pc != p->pc || s->split[i].depth != p->depth)
      continue;
    p->mask |= s->split[i].lanes;
    drop(s, i);
    s->pending--;
  }
  return SL_MARKED;
}

/* The pending splits join the pool. Nobody waits for them any more. */
static void commit(struct splits *s)
{
  const sl_lanes leave = pending_lanes(s);
  for (unsigned n = s->top; n != 0; n = level_of(s, n)->below)
    level_of(s, n)->restore &= ~leave;
  s->count += s->pending;
  s->pending = 0;
}

static enum sl_marked resume(struct sl_ipdom_warp *p, struct splits *s)
{
  const struct split first = s->split[0];
  drop(s, 0);
  s->count--;
  p->mask = first.lanes;
  p->pc = first.pc;
  p->depth = first.depth;
  s->top = first.top;
  return SL_MARKED_POPPED;
}

static enum sl_marked yield(struct sl_ipdom_warp *p)
{
  struct splits *s = splits_of(p);
  if (!apart(p))
    return SL_MARKED;
  if (s->count + s->pending == SL_MAX_LANES)
    return SL_MARKED_FULL;
  commit(s);
  s->split[s->count++] = (struct split){.lanes = p->mask, .pc = p->pc, .depth = (uint16_t)p->depth, .top = s->top};
  return resume(p, s);
}

/* The lanes of a split, and those that wait in its stack. */
static sl_lanes owned(const struct splits *s, sl_lanes lanes, unsigned top)
{
  for (unsigned n = top; n != 0; n = s->level[n - 1].below)
    lanes |= s->level[n - 1].restore | s->level[n - 1].other;
  return lanes;
}

/* Lanes that a mask cannot switch on: they go on elsewhere, or have ended. */
static sl_lanes elsewhere(const struct splits *s)
{
  sl_lanes lanes = s->done;
  for (unsigned i = 0; i < s->count + s->pending; i++)
    lanes |= owned(s, s->split[i].lanes, s->split[i].top);
  return lanes;
}

static enum sl_marked set_mask(struct sl_ipdom_warp *p, const struct sl_mark *m)
{
  struct splits *s = splits_of(p);
  if (!apart(p)) {
    s->done = 0;
    p->mask = m->lanes;
    if (m->lanes == 0)
      start(p);
    return m->lanes != 0 ? SL_MARKED : SL_MARKED_ENDS;
  }
  if (m->lanes != 0 && !m->unguarded)
    return SL_MARKED_LEAVES;
  const sl_lanes lanes = m->lanes & ~elsewhere(s);
  if (lanes == 0 && s->top != 0 && !m->unguarded)
    return SL_MARKED_OPEN;
  if (lanes != 0) {
    p->mask = lanes;
    return SL_MARKED;
  }
  s->done |= m->lanes == 0 ? p->mask : 0;
  commit(s);
  while (s->top != 0)
    close_top(s);
  return resume(p, s);
}

static enum sl_marked mark(void *warp, unsigned group, const struct sl_mark *m)
{
  (void)group;
  switch (m->kind) {
  case SL_MARK_SPLIT: return push(warp, m);
  case SL_MARK_JOIN: return pop(warp);
  case SL_MARK_PREDICATE: return predicate(warp, m);
  case SL_MARK_MASK: return set_mask(warp, m);
  case SL_MARK_YIELD: return yield(warp);
  default: return SL_MARKED;
  }
}

/* ---- checkpoints, messages --------------------------------------------------------------------------------------- */

/* Each stack ends: its depths fall. */
static bool stack_valid(const struct splits *s, unsigned top, unsigned depth)
{
  for (unsigned n = top, around = depth; n != 0; n = s->level[n - 1].below) {
    if (n > SL_SPLIT_LEVELS || s->level[n - 1].used != 1 || s->level[n - 1].depth >= around)
      return false;
    around = s->level[n - 1].depth;
  }
  return depth <= SL_IPDOM_MAX;
}

/* Each lane belongs to one split; pending lanes are in the stack of those that run, at most to be resumed. */
static bool valid(const void *warp, sl_lanes lanes)
{
  const struct sl_ipdom_warp *p = warp;
  const struct splits *s = splits_of_const(p);
  if (s->count > SL_MAX_LANES || s->pending > SL_MAX_LANES - s->count || !stack_valid(s, s->top, p->depth))
    return false;
  sl_lanes all = owned(s, p->mask, s->top), twice = p->mask & pending_lanes(s), pending = 0;
  for (unsigned i = 0; i < s->count + s->pending; i++) {
    const struct split *g = &s->split[i];
    const bool waits = i >= s->count;
    if (g->lanes == 0 || (waits && g->top != 0) || !stack_valid(s, g->top, g->depth))
      return false;
    const sl_lanes own = owned(s, g->lanes, g->top);
    twice |= own & (waits ? pending : all);
    pending |= waits ? own : 0;
    all |= waits ? 0 : own;
  }
  return twice == 0 && ((s->done | all | pending) & ~lanes) == 0;
}

static sl_lanes ready(const void *warp)
{
  const struct sl_ipdom_warp *p = warp;
  const struct splits *s = splits_of_const(p);
  sl_lanes lanes = p->mask;
  for (unsigned i = 0; i < s->count + s->pending; i++)
    lanes |= s->split[i].lanes;
  return lanes & ~s->done;
}

static unsigned places(const void *warp, struct sl_warp_path path[SL_MAX_LANES])
{
  const struct sl_ipdom_warp *p = warp;
  const struct splits *s = splits_of_const(p);
  sl_lanes told = 0;
  unsigned count = 0;
  sl_tell_path(path, &count, &told, p->mask, p->pc);
  for (unsigned i = s->count + s->pending; i-- > s->count;)
    sl_tell_path(path, &count, &told, s->split[i].lanes, s->split[i].pc);
  for (unsigned i = 0; i < s->count; i++)
    sl_tell_path(path, &count, &told, s->split[i].lanes, s->split[i].pc);
  told |= s->done;
  for (unsigned i = 0; i < SL_SPLIT_LEVELS; i++)
    sl_tell_path(path, &count, &told, s->level[i].other, s->level[i].pc);
  for (unsigned i = 0; i < SL_SPLIT_LEVELS; i++)
    sl_tell_path(path, &count, &told, s->level[i].restore, 0);
  return count;
}

const struct sl_convergence sl_convergence_scs_splits = {
    .name = "scs",
    .start = start,
    .mark = mark,
    .apart = apart,
    .valid = valid,
    .ready = ready,
    .places = places,
};
