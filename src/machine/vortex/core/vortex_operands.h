/* Operand collection and dispatch of a Vortex core: from issue to the queues before the units.
 *
 * Timing contract, of a slice. An instruction issued in cycle t can be collected from t + operands.delay on, one per
 * cycle in the order of issue; conflicts of its operands keep the collector as many cycles longer. It comes out of the
 * collector conflicts + operands.out_delay cycles after it was taken, is dispatched, one per cycle and in order, and is
 * before its unit dispatch.delay later. There is room for operands.queue instructions before the collector, for two
 * more behind it, and for dispatch.queue before each unit.
 *
 * A place that is left in a cycle can be taken in the next. So when an instruction is collected and dispatched follows
 * from when it has issued, and from when units take what is before them: nothing is asked from cycle to cycle, but
 * those two moments are computed as soon as they are known, at issue or when the unit whose queue was full has taken
 * one. The ALU takes an instruction in every cycle, which makes its results known with dispatch, too. Where places are
 * taken in the cycle in which they are left, where instructions overtake each other or the wheel would not hold the
 * way, stages ask each other in every cycle instead: sl_vortex_operands. A test compares the two. */
#ifndef SL_MACHINE_VORTEX_OPERANDS_H
#define SL_MACHINE_VORTEX_OPERANDS_H

#include "machine/vortex/core/vortex_flight.h"

/* Whether the keys let moments be computed ahead. */
bool sl_vortex_looks_ahead(const struct sl_vortex_spec *spec);

/* Computes what is known of a slice. */
void sl_vortex_look_ahead(struct sl_vortex_pipeline *core, unsigned slice);

/* A cycle of collection and dispatch, where they do not look ahead. */
void sl_vortex_operands(struct sl_vortex_pipeline *core);

/* Cycles that conflicts have cost by now. */
uint64_t sl_vortex_conflicts(const struct sl_vortex_pipeline *core);

/* Whether a slice can issue in this cycle. */
static inline bool sl_vortex_can_issue(const struct sl_vortex_pipeline *core, unsigned slice)
{
  const struct sl_vortex_operands *o = &core->operands[slice];
  const uint32_t room = core->spec->operands_queue;
  if (!core->ahead)
    return sl_vortex_room(&core->s.collect[slice], room);
  return o->issued - o->collected < room &&
         o->collected_at[(o->issued - room) % SL_VORTEX_OPERAND_RING] < core->s.cycle;
}

/* An instruction issues. */
static inline void sl_vortex_to_operands(struct sl_vortex_pipeline *core, unsigned slice, uint16_t op)
{
  struct sl_vortex_operands *o = &core->operands[slice];
  const uint64_t ready = core->s.cycle + core->spec->operands_delay;
  if (!core->ahead) {
    sl_vortex_push(core, &core->s.collect[slice], op, ready, false);
    return;
  }
  o->op[o->issued % SL_VORTEX_OPERAND_RING] = op;
  o->collected_at[o->issued++ % SL_VORTEX_OPERAND_RING] = ready;
  sl_vortex_look_ahead(core, slice);
}

/* A unit has taken an instruction out of the queue before it. */
static inline void sl_vortex_taken(struct sl_vortex_pipeline *core, unsigned slice, enum sl_vortex_unit unit)
{
  struct sl_vortex_operands *o = &core->operands[slice];
  if (!core->ahead)
    return;
  o->taken_at[unit][o->taken[unit]++ % SL_VORTEX_DISPATCH_RING] = core->s.cycle;
  if (o->dispatched != o->issued)
    sl_vortex_look_ahead(core, slice);
}

#endif
