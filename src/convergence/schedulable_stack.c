/* The schedulable convergence stack of Vortex (SCS): the IPDOM stack, and beside it groups of lanes that are parked and
 * can run in turn.
 *
 * Lanes that leave a loop by PRED are pending. YIELD parks the lanes that run in a pool and runs the pending ones; if
 * there are none, the lanes at the head of the pool. Lanes that end hand over in the same way. If all lanes of a loop
 * have left it before anybody yields, they go on together, as with the IPDOM stack.
 *
 * The hardware has one set of pending lanes and one stack per warp. So lanes that leave an inner loop while lanes of an
 * outer one are pending, and a change of lanes between SPLIT and JOIN, corrupt the state. A full pool keeps pending
 * lanes waiting, perhaps for ever. mark() reports these unless `unguarded`. If PRED `nests`, as in the authors'
 * simulator, each loop has its own set; the latest runs first.
 *
 * Source: Vortex, branch for thread splits, hw/rtl/core/VX_scheduler.sv and VX_wctl_unit.sv, commit fcbac91f. */
#include "convergence/ipdom_stack.h"

#include <string.h>

/* Lanes that do not run, and where they go on. */
struct group {
  sl_lanes lanes;
  uint64_t pc;
};

/* What the hardware keeps for a warp beside the stack. The groups are disjoint, so there are at most as many as lanes:
 * those of the pool from the first place on, the one that waits longest first; the pending ones, which have left a
 * loop, from the last place down, the latest last. The free places are 0. */
struct parked {
  sl_lanes done;   /* lanes that have ended while others were parked */
  sl_lanes pooled; /* lanes of the pool */
  uint32_t count, pending;
  struct group group[SL_MAX_LANES];
};

SL_HOLDS(SL_IPDOM_OWN, SL_SCS_ENTRIES *SL_IPDOM_ENTRY + sizeof(struct parked), "stack and pool");

static struct parked *parked_of(struct sl_ipdom_warp *p)
{
  return (struct parked *)(void *)(p->own + SL_SCS_ENTRIES * SL_IPDOM_ENTRY);
}

static const struct parked *parked_of_const(const struct sl_ipdom_warp *p)
{
  return (const struct parked *)(const void *)(p->own + SL_SCS_ENTRIES * SL_IPDOM_ENTRY);
}

static void start(void *warp)
{
  memset(parked_of(warp), 0, sizeof(struct parked));
}

static struct group *pending(struct parked *s, unsigned i)
{
  return &s->group[SL_MAX_LANES - 1 - i];
}

static void drop_pending(struct parked *s, unsigned i)
{
  for (; i + 1 < s->pending; i++)
    *pending(s, i) = *pending(s, i + 1);
  *pending(s, --s->pending) = (struct group){0};
}

/* The pending lanes that have left a loop for this pc; the number of groups if there are none. */
static unsigned pending_at(struct parked *s, uint32_t pc)
{
  unsigned i = 0;
  while (i < s->pending && pending(s, i)->pc != pc)
    i++;
  return i;
}

/* Drops pending groups whose lanes have ended. Returns true if one is left. */
static bool waits(struct parked *s)
{
  while (s->pending > 0 && (pending(s, s->pending - 1)->lanes & ~s->done) == 0)
    drop_pending(s, s->pending - 1);
  return s->pending > 0;
}

static void run_pending(struct sl_ipdom_warp *p, struct parked *s)
{
  const struct group latest = *pending(s, s->pending - 1);
  drop_pending(s, s->pending - 1);
  p->mask = latest.lanes & ~s->done;
  p->pc = (uint32_t)latest.pc;
}

/* The lanes that run go to the end of the pool. */
static void push(const struct sl_ipdom_warp *p, struct parked *s)
{
  s->pooled |= p->mask & ~s->done;
  s->group[s->count++] = (struct group){p->mask, p->pc};
}

static void pop(struct sl_ipdom_warp *p, struct parked *s)
{
  p->mask = s->group[0].lanes & ~s->done;
  p->pc = (uint32_t)s->group[0].pc;
  s->pooled &= ~s->group[0].lanes;
  memmove(s->group, s->group + 1, --s->count * sizeof s->group[0]);
  s->group[s->count] = (struct group){0};
}

static void rotate(struct sl_ipdom_warp *p, struct parked *s)
{
  struct sl_ipdom_warp before = {.pc = p->pc, .mask = p->mask};
  pop(p, s);
  push(&before, s);
}

static enum sl_marked yield(struct sl_ipdom_warp *p, const struct sl_mark *m)
{
  struct parked *s = parked_of(p);
  const bool starts = waits(s) && s->count < m->room;
  if (!starts && s->count == 0)
    return SL_MARKED;
  if (p->depth != 0 && !m->unguarded)
    return SL_MARKED_OPEN;
  if (!starts && s->pending > 0 && !m->unguarded)
    return SL_MARKED_STARVED;
  if (!starts) {
    rotate(p, s);
    return s->pending > 0 ? SL_MARKED_FILLED : SL_MARKED_POPPED;
  }
  struct sl_ipdom_warp before = {.pc = p->pc, .mask = p->mask};
  run_pending(p, s);
  push(&before, s);
  return SL_MARKED_JUMPED;
}

/* The hardware has one place: lanes of another loop in it move to this pc. */
static enum sl_marked park(struct parked *s, sl_lanes lanes, uint32_t pc, const struct sl_mark *m)
{
  const unsigned i = pending_at(s, pc);
  if (i < s->pending) {
    pending(s, i)->lanes |= lanes;
  } else if (s->count + s->pending == SL_MAX_LANES) { /* lanes are in two places: unguarded, or restored */
    return SL_MARKED_PARKED;
  } else if (m->nests || !waits(s)) {
    *pending(s, s->pending++) = (struct group){lanes, pc};
  } else {
    if (!m->unguarded)
      return SL_MARKED_PARKED;
    *pending(s, 0) = (struct group){pending(s, 0)->lanes | lanes, pc};
  }
  return SL_MARKED;
}

/* The loop's lanes part, or all of them leave it; then those that have left it before join them. */
static enum sl_marked predicate(struct sl_ipdom_warp *p, const struct sl_mark *m)
{
  struct parked *s = parked_of(p);
  const sl_lanes leave = p->mask & ~m->lanes;
  const unsigned own = pending_at(s, p->pc);
  if (m->lanes != 0) {
    if (leave != 0 && park(s, leave, p->pc, m) == SL_MARKED_PARKED)
      return SL_MARKED_PARKED;
    p->mask = m->lanes;
    return SL_MARKED;
  }
  if (own < s->pending) {
    p->mask |= pending(s, own)->lanes;
    drop_pending(s, own);
  }
  p->mask &= ~s->done;
  return p->mask != 0 ? SL_MARKED : SL_MARKED_ENDS;
}

/* The lanes that run end; the next ones are the pending ones, else the first of the pool. */
static enum sl_marked end(struct sl_ipdom_warp *p, const struct sl_mark *m)
{
  struct parked *s = parked_of(p);
  if (!waits(s) && s->count == 0) {
    start(p);
    p->mask = 0;
    return SL_MARKED_ENDS;
  }
  if (p->depth != 0 && !m->unguarded)
    return SL_MARKED_OPEN;
  s->done |= p->mask;
  if (waits(s)) {
    run_pending(p, s);
    return SL_MARKED_JUMPED;
  }
  for (p->mask = 0; p->mask == 0 && s->count > 0;)
    pop(p, s);
  return p->mask != 0 ? SL_MARKED_POPPED : SL_MARKED_ENDS;
}

/* decision: the published RTL forgets lanes that have ended when it gives the warp another block. Here a launch begins
 * with a TMC, so a TMC of a warp without parked lanes forgets them. */
static enum sl_marked set_mask(struct sl_ipdom_warp *p, const struct sl_mark *m)
{
  struct parked *s = parked_of(p);
  if (m->lanes == 0)
    return end(p, m);
  if (s->pending == 0 && s->count == 0)
    s->done = 0;
  p->mask = m->lanes & ~s->pooled & ~s->done;
  return p->mask != 0 ? SL_MARKED : SL_MARKED_ENDS;
}

static enum sl_marked mark(void *warp, unsigned group, const struct sl_mark *m)
{
  switch (m->kind) {
  case SL_MARK_PREDICATE: return predicate(warp, m);
  case SL_MARK_MASK: return set_mask(warp, m);
  case SL_MARK_YIELD: return yield(warp, m);
  default: return sl_ipdom_mark(warp, group, m);
  }
}

static bool apart(const void *warp)
{
  const struct parked *s = parked_of_const(warp);
  return s->pending + s->count > 0;
}

static bool valid(const void *warp, sl_lanes lanes)
{
  const struct sl_ipdom_warp *p = warp;
  const struct parked *s = parked_of_const(p);
  if (p->depth > SL_SCS_ENTRIES || s->count > SL_MAX_LANES || s->pending > SL_MAX_LANES - s->count ||
      ((s->done | s->pooled) & ~lanes) != 0)
    return false;
  for (unsigned i = 0; i < SL_MAX_LANES; i++)
    if ((s->group[i].lanes & ~lanes) != 0 || s->group[i].pc > UINT32_MAX)
      return false;
  return sl_ipdom_valid(warp, lanes);
}

static sl_lanes ready(const void *warp)
{
  const struct sl_ipdom_warp *p = warp;
  const struct parked *s = parked_of_const(p);
  sl_lanes lanes = p->mask | s->pooled;
  for (unsigned i = SL_MAX_LANES - s->pending; i < SL_MAX_LANES; i++)
    lanes |= s->group[i].lanes;
  return lanes & ~s->done;
}

static unsigned places(const void *warp, struct sl_warp_path path[SL_MAX_LANES])
{
  const struct sl_ipdom_warp *p = warp;
  const struct parked *s = parked_of_const(p);
  struct sl_warp_path stack[SL_MAX_LANES];
  const unsigned open = sl_ipdom_places(p, stack);
  sl_lanes told = 0;
  unsigned count = 0;
  sl_tell_path(path, &count, &told, p->mask, p->pc);
  for (unsigned i = SL_MAX_LANES - s->pending; i < SL_MAX_LANES; i++)
    sl_tell_path(path, &count, &told, s->group[i].lanes & ~s->done, (uint32_t)s->group[i].pc);
  for (unsigned i = 0; i < s->count; i++)
    sl_tell_path(path, &count, &told, s->group[i].lanes, (uint32_t)s->group[i].pc);
  for (unsigned i = 0; i < open; i++)
    sl_tell_path(path, &count, &told, stack[i].lanes & ~s->done, stack[i].pc);
  return count;
}

const struct sl_convergence sl_convergence_scs = {
    .name = "scs",
    .start = start,
    .mark = mark,
    .apart = apart,
    .valid = valid,
    .ready = ready,
    .places = places,
};
