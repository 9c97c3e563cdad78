#include "machine/vortex/core/vortex_operands.h"

/* ---- computed ahead ---------------------------------------------------------------------------------------------- */

/* The maximum delay of an ALU instruction from issue: the collection of all instructions before it with all their
 * conflicts, then the delays. */
static unsigned longest_way(const struct sl_vortex_spec *spec)
{
  enum { CONFLICTS = 3 };
  const unsigned waiting = spec->operands_queue * (1 + CONFLICTS) + sl_vortex_behind_collector(spec);
  unsigned latency = spec->branch_delay;
  for (unsigned class = 0; class < SL_VORTEX_CLASS_COUNT; class ++)
    latency = spec->latency[class] > latency ? spec->latency[class] : latency;
  return spec->operands_delay + waiting + spec->operands_out_delay + spec->dispatch_delay + latency;
}

bool sl_vortex_looks_ahead(const struct sl_vortex_spec *spec)
{
  return !spec->queues_same_cycle && !spec->operands_overtake && spec->operands_queue > 0 &&
         spec->dispatch_unit_delay == 0 && longest_way(spec) < SL_VORTEX_WHEEL;
}

/* Conflicts of instructions that will be collected in future cycles; in a core that has faulted, none will be. */
static uint64_t conflicts_to_come(const struct sl_vortex_pipeline *core, const struct sl_vortex_operands *o)
{
  const uint64_t end = core->s.faulted ? core->warps->fault.cycle + 1 : core->s.cycle;
  uint64_t conflicts = 0;
  for (uint32_t i = 1; i <= SL_VORTEX_OPERAND_RING && end > 0; i++) {
    const uint32_t place = (o->collected - i) % SL_VORTEX_OPERAND_RING;
    if (o->collected_at[place] < end)
      break;
    conflicts += core->op[o->op[place]].facts.conflicts;
  }
  return conflicts;
}

uint64_t sl_vortex_conflicts(const struct sl_vortex_pipeline *core)
{
  uint64_t conflicts = core->s.counts.conflicts;
  for (unsigned slice = 0; slice < core->slices && core->ahead; slice++)
    conflicts -= conflicts_to_come(core, &core->operands[slice]);
  return conflicts;
}

/* ---- cycle-stepped ----------------------------------------------------------------------------------------------- */

/* The collector works in order, and an instruction occupies it while its operands conflict. In the simulator conflicts
 * only add delay, and other instructions may overtake. */
static void collect(struct sl_vortex_pipeline *core, unsigned slice)
{
  const struct sl_vortex_spec *spec = core->spec;
  struct sl_vortex_queue *to = &core->s.collected[slice];
  const struct sl_vortex_entry *e = sl_vortex_head(core, &core->s.collect[slice], core->s.cycle);
  if (e == NULL || core->s.cycle < core->s.collector_free[slice] ||
      !sl_vortex_room(to, sl_vortex_behind_collector(spec)))
    return;
  const uint16_t op = e->op;
  const unsigned conflicts = core->op[op].facts.conflicts;
  const uint64_t ready = core->s.cycle + conflicts + spec->operands_out_delay;
  core->s.counts.conflicts += conflicts;
  sl_vortex_pop(&core->s.collect[slice]);
  core->s.collector_free[slice] = core->s.cycle + 1 + (spec->operands_overtake ? 0 : conflicts);
  if (spec->operands_overtake)
    sl_vortex_insert(core, to, op, ready);
  else
    sl_vortex_push(core, to, op, ready, false);
}

static void dispatch(struct sl_vortex_pipeline *core, unsigned slice)
{
  const struct sl_vortex_entry *e = sl_vortex_head(core, &core->s.collected[slice], core->s.cycle);
  if (e == NULL)
    return;
  struct sl_vortex_queue *to = &core->s.dispatch[slice][core->op[e->op].facts.unit];
  if (!sl_vortex_room(to, core->spec->dispatch_size))
    return;
  sl_vortex_push(core, to, e->op, core->s.cycle + core->spec->dispatch_delay, false);
  sl_vortex_pop(&core->s.collected[slice]);
}

void sl_vortex_operands(struct sl_vortex_pipeline *core)
{
  const bool same_cycle = core->spec->queues_same_cycle;
  for (unsigned slice = 0; slice < core->slices; slice++) {
    if (same_cycle)
      dispatch(core, slice);
    collect(core, slice);
    if (!same_cycle)
      dispatch(core, slice);
  }
}
