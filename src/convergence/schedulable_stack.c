#include "convergence/schedulable_stack.h"

#include <string.h>

/* What the hardware keeps for a warp beside the stack. */
struct parked {
  sl_lanes pending;    /* lanes that have left the loop that runs */
  sl_lanes done;       /* lanes that have ended while others were parked */
  sl_lanes pooled;     /* lanes of the pool */
  uint32_t pending_pc; /* where the pending ones go on */
  uint32_t count;      /* groups in the pool, */
  struct {             /* the one that waits longest first; the free places are 0 */
    sl_lanes lanes;
    uint64_t pc;
  } pool[SL_MAX_LANES];
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

static sl_lanes waiting(const struct parked *s)
{
  return s->pending & ~s->done;
}

static void run_pending(struct sl_ipdom_warp *p, struct parked *s)
{
  p->mask = waiting(s);
  p->pc = s->pending_pc;
  s->pending = 0;
}

/* The lanes that run go to the end of the pool. There is room. */
static void push(const struct sl_ipdom_warp *p, struct parked *s)
{
  s->pooled |= p->mask & ~s->done;
  s->pool[s->count].lanes = p->mask;
  s->pool[s->count++].pc = p->pc;
}

static void pop(struct sl_ipdom_warp *p, struct parked *s)
{
  p->mask = s->pool[0].lanes & ~s->done;
  p->pc = (uint32_t)s->pool[0].pc;
  s->pooled &= ~s->pool[0].lanes;
  memmove(s->pool, s->pool + 1, --s->count * sizeof s->pool[0]);
  memset(&s->pool[s->count], 0, sizeof s->pool[0]);
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
  const bool starts = waiting(s) != 0 && s->count < m->room;
  if (!starts && s->count == 0)
    return SL_MARKED;
  if (p->depth != 0 && !m->unguarded)
    return SL_MARKED_OPEN;
  if (!starts) {
    rotate(p, s);
    return waiting(s) != 0 ? SL_MARKED_FILLED : SL_MARKED_POPPED;
  }
  push(p, s);
  run_pending(p, s);
  return SL_MARKED_JUMPED;
}

/* The loop's lanes part, or all of them leave it; then those that have left it before join them. */
static enum sl_marked predicate(struct sl_ipdom_warp *p, const struct sl_mark *m)
{
  struct parked *s = parked_of(p);
  const sl_lanes leave = p->mask & ~m->lanes;
  if (m->lanes == 0) {
    const bool own = s->pending != 0 && s->pending_pc == p->pc;
    p->mask = (p->mask | (own ? s->pending : 0)) & ~s->done;
    s->pending = own ? 0 : s->pending;
    return p->mask != 0 ? SL_MARKED : SL_MARKED_ENDS;
  }
  if (leave != 0 && waiting(s) != 0 && s->pending_pc != p->pc && !m->unguarded)
    return SL_MARKED_PARKED;
  if (leave != 0) {
    s->pending |= leave;
    s->pending_pc = p->pc;
  }
  p->mask = m->lanes;
  return SL_MARKED;
}

/* The lanes that run end; the next ones are the pending ones, else the first of the pool. */
static enum sl_marked end(struct sl_ipdom_warp *p, const struct sl_mark *m)
{
  struct parked *s = parked_of(p);
  if (s->pending == 0 && s->count == 0) {
    start(p);
    p->mask = 0;
    return SL_MARKED_ENDS;
  }
  if (p->depth != 0 && !m->unguarded)
    return SL_MARKED_OPEN;
  s->done |= p->mask;
  if (waiting(s) != 0) {
    run_pending(p, s);
    return SL_MARKED_JUMPED;
  }
  s->pending = 0;
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
  return waiting(s) != 0 || s->count > 0;
}

static bool valid(const void *warp, sl_lanes lanes)
{
  const struct sl_ipdom_warp *p = warp;
  const struct parked *s = parked_of_const(p);
  if (p->depth > SL_SCS_ENTRIES || s->count > SL_MAX_LANES || ((s->pending | s->done | s->pooled) & ~lanes) != 0)
    return false;
  for (unsigned i = 0; i < SL_MAX_LANES; i++)
    if ((s->pool[i].lanes & ~lanes) != 0 || s->pool[i].pc > UINT32_MAX)
      return false;
  return sl_ipdom_valid(warp, lanes);
}

static void place(struct sl_warp_path *path, unsigned *count, sl_lanes *told, sl_lanes lanes, uint32_t pc)
{
  if ((lanes & ~*told) != 0)
    path[(*count)++] = (struct sl_warp_path){lanes & ~*told, pc};
  *told |= lanes;
}

static unsigned places(const void *warp, struct sl_warp_path path[SL_MAX_LANES])
{
  const struct sl_ipdom_warp *p = warp;
  const struct parked *s = parked_of_const(p);
  struct sl_warp_path stack[SL_MAX_LANES];
  const unsigned open = sl_ipdom_places(p, stack);
  sl_lanes told = 0;
  unsigned count = 0;
  place(path, &count, &told, p->mask, p->pc);
  place(path, &count, &told, waiting(s), s->pending_pc);
  for (unsigned i = 0; i < s->count; i++)
    place(path, &count, &told, s->pool[i].lanes, (uint32_t)s->pool[i].pc);
  for (unsigned i = 0; i < open; i++)
    place(path, &count, &told, stack[i].lanes & ~s->done, stack[i].pc);
  return count;
}

const struct sl_convergence sl_convergence_scs = {
    .name = "scs",
    .start = start,
    .mark = mark,
    .apart = apart,
    .valid = valid,
    .places = places,
};
