/* Independent thread scheduling of Vortex (ITS): a pc per lane.
 *
 * The lanes at the lowest pc run, among those that are neither at a convergence barrier nor have yielded. Branches and
 * indirect jumps part lanes. A group that runs meets others only when it branches, yields or waits: the lowest pc is
 * selected then, as in the hardware. Lanes that have yielded run again when no other lane can. SPLIT, JOIN and PRED
 * have no effect.
 *
 * Lanes join a barrier by BARRIER and wait there by WAIT until all that have joined it have arrived, yielded or ended.
 *
 * Source: Vortex, branch for thread splits, hw/rtl/core/VX_scheduler.sv, commit fcbac91f. */
#include "convergence/ipdom_stack.h"

#include <string.h>

struct threads {
  sl_lanes alive;
  sl_lanes yielded; /* run again when no other lane can */
  struct {
    sl_lanes joined, arrived;
  } barrier[SL_ITS_BARRIERS];
  uint32_t pc[SL_MAX_LANES]; /* of the lanes that do not run */
};

SL_HOLDS(SL_IPDOM_OWN, sizeof(struct threads), "a pc per lane");

static struct threads *threads_of(struct sl_ipdom_warp *p)
{
  return (struct threads *)(void *)p->own;
}

static const struct threads *threads_of_const(const struct sl_ipdom_warp *p)
{
  return (const struct threads *)(const void *)p->own;
}

static void start(void *warp)
{
  struct sl_ipdom_warp *p = warp;
  struct threads *s = threads_of(p);
  memset(s, 0, sizeof *s);
  s->alive = p->mask;
}

static sl_lanes blocked(const struct threads *s)
{
  sl_lanes lanes = 0;
  for (unsigned i = 0; i < SL_ITS_BARRIERS; i++)
    lanes |= s->barrier[i].arrived;
  return lanes;
}

static void set_pc(struct threads *s, sl_lanes lanes, uint32_t pc)
{
  for (; lanes; lanes &= lanes - 1)
    s->pc[sl_lowest(lanes)] = pc;
}

/* Those of the lanes that are at the pc. */
static sl_lanes at(const struct threads *s, sl_lanes lanes, uint32_t pc)
{
  sl_lanes there = 0;
  for (; lanes; lanes &= lanes - 1)
    there |= s->pc[sl_lowest(lanes)] == pc ? sl_bit(sl_lowest(lanes)) : 0;
  return there;
}

/* Runs the lanes at the lowest pc. Returns false if none can run. */
static bool regroup(struct sl_ipdom_warp *p, struct threads *s)
{
  const sl_lanes free = s->alive & ~blocked(s);
  if ((free & ~s->yielded) == 0)
    s->yielded &= ~free;
  const sl_lanes ready = free & ~s->yielded;
  uint32_t lowest = UINT32_MAX;
  for (sl_lanes rest = ready; rest; rest &= rest - 1)
    lowest = s->pc[sl_lowest(rest)] < lowest ? s->pc[sl_lowest(rest)] : lowest;
  p->mask = at(s, ready, lowest);
  p->pc = ready != 0 ? lowest : p->pc;
  return ready != 0;
}

/* Opens the barriers at which all lanes are that still come. */
static void open_barriers(struct threads *s)
{
  for (unsigned i = 0; i < SL_ITS_BARRIERS; i++)
    if (s->barrier[i].arrived != 0 && (s->barrier[i].joined & ~s->yielded & ~s->barrier[i].arrived) == 0)
      s->barrier[i].joined = s->barrier[i].arrived = 0;
}

/* The running lanes continue at the warp's pc, when it is their turn. */
static enum sl_marked continue_with(struct sl_ipdom_warp *p, struct threads *s)
{
  const sl_lanes before = p->mask;
  const uint32_t pc = p->pc;
  open_barriers(s);
  if (!regroup(p, s))
    return SL_MARKED_STUCK;
  return p->mask == before && p->pc == pc ? SL_MARKED : SL_MARKED_JUMPED;
}

static void keep(struct threads *s, sl_lanes lanes)
{
  s->alive = lanes;
  s->yielded &= lanes;
  for (unsigned i = 0; i < SL_ITS_BARRIERS; i++) {
    s->barrier[i].joined &= lanes;
    s->barrier[i].arrived &= lanes;
  }
}

static enum sl_marked end(struct sl_ipdom_warp *p, struct threads *s)
{
  keep(s, s->alive & ~p->mask);
  p->mask = 0;
  return s->alive != 0 ? continue_with(p, s) : SL_MARKED_ENDS;
}

static enum sl_marked set_mask(struct sl_ipdom_warp *p, struct threads *s, const struct sl_mark *m)
{
  if (m->lanes == 0)
    return end(p, s);
  if ((s->alive & ~p->mask) != 0 && !m->unguarded)
    return SL_MARKED_MOVES;
  keep(s, m->lanes);
  p->mask = m->lanes;
  set_pc(s, m->lanes, p->pc);
  return continue_with(p, s);
}

static enum sl_marked mark(void *warp, unsigned group, const struct sl_mark *m)
{
  struct sl_ipdom_warp *p = warp;
  struct threads *s = threads_of(p);
  (void)group;
  switch (m->kind) {
  case SL_MARK_MASK: return set_mask(p, s, m);
  case SL_MARK_BARRIER: s->barrier[m->number % SL_ITS_BARRIERS].joined |= p->mask; return SL_MARKED;
  case SL_MARK_WAIT:
    set_pc(s, p->mask, p->pc);
    s->barrier[m->number % SL_ITS_BARRIERS].arrived |= p->mask & s->barrier[m->number % SL_ITS_BARRIERS].joined;
    return continue_with(p, s);
  case SL_MARK_YIELD:
    if (m->room == 0)
      return SL_MARKED;
    set_pc(s, p->mask, p->pc);
    s->yielded |= p->mask;
    return continue_with(p, s);
  default: return SL_MARKED; /* lanes part by branches */
  }
}

static void branch(void *warp, unsigned group, sl_lanes taken, uint32_t taken_pc, uint32_t pc)
{
  struct sl_ipdom_warp *p = warp;
  struct threads *s = threads_of(p);
  (void)group;
  set_pc(s, p->mask, pc);
  set_pc(s, taken, taken_pc);
  (void)regroup(p, s);
}

static void scatter(void *warp, unsigned group, const uint32_t *target)
{
  struct sl_ipdom_warp *p = warp;
  struct threads *s = threads_of(p);
  (void)group;
  for (sl_lanes rest = p->mask; rest; rest &= rest - 1)
    s->pc[sl_lowest(rest)] = target[sl_lowest(rest)];
  (void)regroup(p, s);
}

static bool apart(const void *warp)
{
  const struct sl_ipdom_warp *p = warp;
  return (threads_of_const(p)->alive & ~p->mask) != 0;
}

static bool valid(const void *warp, sl_lanes lanes)
{
  const struct sl_ipdom_warp *p = warp;
  const struct threads *s = threads_of_const(p);
  sl_lanes used = s->alive | s->yielded;
  for (unsigned i = 0; i < SL_ITS_BARRIERS; i++)
    used |= s->barrier[i].joined | s->barrier[i].arrived;
  return p->depth == 0 && (used & ~lanes) == 0 && (p->mask & ~s->alive) == 0;
}

static sl_lanes ready(const void *warp)
{
  const struct threads *s = threads_of_const(warp);
  return s->alive & ~blocked(s);
}

static unsigned places(const void *warp, struct sl_warp_path path[SL_MAX_LANES])
{
  const struct sl_ipdom_warp *p = warp;
  const struct threads *s = threads_of_const(p);
  unsigned count = p->mask != 0;
  path[0] = (struct sl_warp_path){p->mask, p->pc};
  for (sl_lanes rest = s->alive & ~p->mask; rest; rest &= ~path[count++].lanes) {
    const uint32_t pc = s->pc[sl_lowest(rest)];
    path[count] = (struct sl_warp_path){at(s, rest, pc), pc};
  }
  return count;
}

const struct sl_convergence sl_convergence_its = {
    .name = "its",
    .start = start,
    .branch = branch,
    .scatter = scatter,
    .mark = mark,
    .apart = apart,
    .valid = valid,
    .ready = ready,
    .places = places,
};
