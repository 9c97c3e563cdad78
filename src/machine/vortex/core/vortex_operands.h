/* Operand collection and dispatch of a Vortex core: from issue to the queues before the units.
 *
 * Timing contract, per slice. An instruction issued in cycle t can be collected from t + operands.delay on. The
 * collector takes one instruction per cycle in issue order. Each bank conflict of its operands occupies the collector
 * one more cycle. The instruction leaves the collector conflicts + operands.out_delay cycles after it was taken. It is
 * dispatched in order, one per cycle, and reaches its unit's queue dispatch.delay later. There is room for
 * operands.queue instructions before the collector, for two more after it, and for dispatch.queue before each unit.
 *
 * A place freed in a cycle can be reused in the next. The cycles of collection and dispatch therefore follow from the
 * cycle of issue and from the cycles in which units take instructions. The model computes both as soon as they are
 * known: at issue, or when a unit whose queue was full takes an instruction. The ALU takes an instruction in every
 * cycle, so dispatch also determines its results. The LSU and the SFU take one when their input is free, so their input
 * cycle is known once that is known. The cycle-stepped version, sl_vortex_operands, is used where places are reused in
 * the cycle in which they are freed, where instructions overtake each other, or where the wheel is too small. A test
 * compares the two. */
#ifndef SL_MACHINE_VORTEX_OPERANDS_H
#define SL_MACHINE_VORTEX_OPERANDS_H

#include "machine/vortex/core/vortex_flight.h"

/* Whether the keys allow the cycles to be computed ahead. */
bool sl_vortex_looks_ahead(const struct sl_vortex_spec *spec);

/* One cycle of collection and dispatch, when they are not computed ahead. */
void sl_vortex_operands(struct sl_vortex_pipeline *core);

/* Cycles that conflicts have cost so far. */
uint64_t sl_vortex_conflicts(const struct sl_vortex_pipeline *core);

/* Places after the collector; 0: no limit. */
static inline unsigned sl_vortex_behind_collector(const struct sl_vortex_spec *spec)
{
  return spec->operands_queue > 0 ? spec->operands_queue + 2 : 0;
}

/* ---- computed ahead ---------------------------------------------------------------------------------------------- */

/* An instruction is collected once it has arrived, the collector is free and a place after it is free. That place is
 * known once the instruction that used it last has a dispatch cycle. */
static inline void sl_vortex_collect_ahead(struct sl_vortex_pipeline *core, struct sl_vortex_operands *o)
{
  const unsigned places = core->spec->operands_queue + 2;
  while (o->collected != o->issued && o->collected - o->dispatched < places) {
    const uint32_t place = o->collected % SL_VORTEX_OPERAND_RING;
    const unsigned conflicts = core->op[o->op[place]].facts.conflicts;
    const uint64_t left = o->dispatched_at[(o->collected - places) % SL_VORTEX_OPERAND_RING];
    const uint64_t cycle = sl_later_cycle(sl_later_cycle(o->collected_at[place], o->collector_free), left + 1);
    o->collected_at[place] = cycle;
    o->collector_free = cycle + 1 + conflicts;
    o->collected++;
    core->s.counts.conflicts += conflicts;
  }
}

/* The ALU takes one instruction per cycle. */
static inline void sl_vortex_pass_alu(struct sl_vortex_pipeline *core, struct sl_vortex_operands *o, uint16_t index,
                                      uint64_t ready)
{
  const struct sl_vortex_op *op = &core->op[index];
  const uint64_t cycle = sl_later_cycle(ready, o->alu_free);
  o->alu_free = cycle + 1;
  o->taken_at[SL_UNIT_ALU][o->taken[SL_UNIT_ALU]++ % SL_VORTEX_DISPATCH_RING] = cycle;
  if (op->facts.flags & SL_FACT_STALLS_FETCH)
    sl_vortex_wake(core, sl_bit(op->warp), cycle + core->spec->branch_delay);
  sl_vortex_finish_at(core, index, cycle + core->spec->latency[op->facts.class]);
}

/* Moves an instruction from the queue of the LSU or SFU into the unit's input. With a single slice, the input is not
 * shared. */
static inline void sl_vortex_into_input(struct sl_vortex_pipeline *core, struct sl_vortex_operands *o,
                                        enum sl_vortex_unit unit, uint16_t index, uint64_t cycle)
{
  const uint64_t ready = cycle + core->spec->shared_unit_delay;
  sl_vortex_push(core, &core->s.input[0][unit], index, ready, false);
  o->taken_at[unit][o->taken[unit]++ % SL_VORTEX_DISPATCH_RING] = cycle;
  sl_vortex_look_at(core, unit == SL_UNIT_LSU ? SL_STAGE_LSU : SL_STAGE_UNITS, ready);
}

static inline void sl_vortex_pass_shared(struct sl_vortex_pipeline *core, struct sl_vortex_operands *o,
                                         enum sl_vortex_unit unit, uint16_t index, uint64_t ready)
{
  if (core->s.input[0][unit].count > 0)
    sl_vortex_push(core, &core->s.dispatch[0][unit], index, ready, false);
  else
    sl_vortex_into_input(core, o, unit, index, ready);
}

/* Dispatches the next instruction. False: its cycle is known only when its unit takes an instruction. */
static inline bool sl_vortex_dispatch_ahead(struct sl_vortex_pipeline *core, unsigned slice,
                                            struct sl_vortex_operands *o)
{
  const struct sl_vortex_spec *spec = core->spec;
  const uint32_t place = o->dispatched % SL_VORTEX_OPERAND_RING;
  const uint16_t index = o->op[place];
  const struct sl_vortex_facts *facts = &core->op[index].facts;
  const unsigned unit = facts->unit;
  if (o->sent[unit] - o->taken[unit] >= spec->dispatch_size)
    return false;
  const uint64_t out = o->collected_at[place] + facts->conflicts + spec->operands_out_delay;
  const uint64_t left = o->taken_at[unit][(o->sent[unit] - spec->dispatch_size) % SL_VORTEX_DISPATCH_RING];
  const uint64_t cycle = sl_later_cycle(sl_later_cycle(out, o->dispatch_free), left + 1),
                 ready = cycle + spec->dispatch_delay;
  o->dispatched_at[place] = cycle;
  o->dispatch_free = cycle + 1;
  o->dispatched++;
  o->sent[unit]++;
  if (unit == SL_UNIT_ALU) {
    sl_vortex_pass_alu(core, o, index, ready);
    return true;
  }
  if (core->feeds && unit != SL_UNIT_FPU) {
    sl_vortex_pass_shared(core, o, (enum sl_vortex_unit)unit, index, ready);
    return true;
  }
  sl_vortex_push(core, &core->s.dispatch[slice][unit], index, ready, false);
  sl_vortex_look_at(core, SL_STAGE_UNITS, ready);
  return true;
}

/* Computes all known cycles of a slice. */
static inline void sl_vortex_look_ahead(struct sl_vortex_pipeline *core, unsigned slice)
{
  struct sl_vortex_operands *o = &core->operands[slice];
  do
    sl_vortex_collect_ahead(core, o);
  while (o->dispatched != o->collected && sl_vortex_dispatch_ahead(core, slice, o));
}

/* ---- for issue, and for units ------------------------------------------------------------------------------------ */

/* Whether a slice can issue in this cycle. */
SL_VORTEX_STAGE bool sl_vortex_takes_issue(const struct sl_vortex_pipeline *core, unsigned slice, const bool plain)
{
  const struct sl_vortex_operands *o = &core->operands[slice];
  const uint32_t room = core->spec->operands_queue;
  if (!plain && !core->ahead)
    return sl_vortex_room(&core->s.collect[slice], room);
  return o->issued - o->collected < room &&
         o->collected_at[(o->issued - room) % SL_VORTEX_OPERAND_RING] < core->s.cycle;
}

/* Adds an instruction at issue. */
SL_VORTEX_STAGE void sl_vortex_to_operands(struct sl_vortex_pipeline *core, unsigned slice, uint16_t op,
                                           const bool plain)
{
  struct sl_vortex_operands *o = &core->operands[slice];
  const uint64_t ready = core->s.cycle + core->spec->operands_delay;
  if (!plain && !core->ahead) {
    sl_vortex_push(core, &core->s.collect[slice], op, ready, false);
    return;
  }
  o->op[o->issued % SL_VORTEX_OPERAND_RING] = op;
  o->collected_at[o->issued++ % SL_VORTEX_OPERAND_RING] = ready;
  sl_vortex_look_ahead(core, slice);
}

/* The LSU or SFU has taken an instruction from its input; the input accepts the next one in this cycle. */
static inline void sl_vortex_input_free(struct sl_vortex_pipeline *core, enum sl_vortex_unit unit)
{
  struct sl_vortex_operands *o = core->operands;
  struct sl_vortex_queue *from = &core->s.dispatch[0][unit];
  if (!core->feeds || from->count == 0)
    return;
  const struct sl_vortex_entry *e = sl_vortex_first(core, from);
  const uint16_t index = e->op;
  const uint64_t cycle = sl_later_cycle(e->ready, core->s.cycle);
  sl_vortex_pop(from);
  sl_vortex_into_input(core, o, unit, index, cycle);
  if (o->dispatched != o->issued)
    sl_vortex_look_ahead(core, 0);
}

/* A unit has taken an instruction from its queue. */
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
