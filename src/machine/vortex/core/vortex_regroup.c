#include "machine/vortex/core/vortex_stages.h"

static enum sl_vortex_event class_of(const struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  if (!(op->facts.flags & SL_FACT_STALLS_FETCH))
    return SL_VORTEX_NO_EVENT;
  if (op->facts.unit == SL_UNIT_ALU)
    return SL_VORTEX_BRANCHES;
  switch (sl_vortex_insn(core, op)->op) {
  case SL_OP_TMC:
  case SL_OP_YIELD:
  case SL_OP_SYNC_LANES:
  case SL_OP_BAR_ADD:
  case SL_OP_BAR_WAIT: return SL_VORTEX_CONTROLS;
  default: return SL_VORTEX_NO_EVENT;
  }
}

void sl_vortex_await_regroup(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  core->s.regroup.awaits[op->warp] = (uint8_t)class_of(core, op);
}

static void append(struct sl_vortex_regroup *r, enum sl_vortex_event class, unsigned warp)
{
  r->queue[class][(r->first[class] + r->count[class]++) % SL_MAX_WARPS] = (uint8_t)warp;
  r->awaits[warp] = SL_VORTEX_NO_EVENT;
}

void sl_vortex_regroup_start(struct sl_vortex_pipeline *core, sl_warps warps)
{
  for (; warps; warps &= warps - 1)
    append(&core->s.regroup, SL_VORTEX_STARTS, sl_lowest(warps));
}

/* The class whose turn it is among those with an event. */
static enum sl_vortex_event next_class(const struct sl_vortex_regroup *r)
{
  for (unsigned i = 1; i <= SL_VORTEX_EVENTS; i++)
    if (r->count[(r->last + i) % SL_VORTEX_EVENTS] > 0)
      return (enum sl_vortex_event)((r->last + i) % SL_VORTEX_EVENTS);
  return SL_VORTEX_NO_EVENT;
}

static void serve(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_regroup *r = &core->s.regroup;
  const enum sl_vortex_event class = next_class(r);
  if (class == SL_VORTEX_NO_EVENT)
    return;
  const unsigned warp = r->queue[class][r->first[class]];
  r->first[class] = (uint8_t)((r->first[class] + 1) % SL_MAX_WARPS);
  r->count[class]--;
  r->last = (uint8_t) class;
  sl_vortex_wake(core, sl_bit(warp), core->s.cycle + core->spec->its_service);
  core->known.again |= next_class(r) != SL_VORTEX_NO_EVENT ? SL_STAGE_SCHEDULE : 0;
}

sl_warps sl_vortex_regroup(struct sl_vortex_pipeline *core, sl_warps woken)
{
  struct sl_vortex_regroup *r = &core->s.regroup;
  sl_warps others = woken;
  for (sl_warps rest = woken; rest; rest &= rest - 1) {
    const unsigned warp = sl_lowest(rest);
    if (r->awaits[warp] == SL_VORTEX_NO_EVENT)
      continue;
    others &= ~sl_bit(warp);
    append(r, (enum sl_vortex_event)r->awaits[warp], warp);
  }
  serve(core);
  return others;
}
