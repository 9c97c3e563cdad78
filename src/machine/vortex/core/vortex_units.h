/* The ALU, FPU and SFU of a Vortex core, and commit: queues and delays given by the keys. The caller passes `slices`,
 * the core's number of slices, so that the compiler removes the loops for a single slice. */
#ifndef SL_MACHINE_VORTEX_UNITS_H
#define SL_MACHINE_VORTEX_UNITS_H

#include "machine/vortex/core/vortex_flight.h"
#include "machine/vortex/core/vortex_stages.h"

/* Warp control unit of a Vortex core: the effect of TMC, WSPAWN, SPLIT, JOIN, BAR and PRED in their unit, and the cycle
 * in which their warps can be scheduled again. func/ipdom_warps.h implements barriers and spawns. */

/* Switches a warp off. */
void sl_vortex_warp_ends(struct sl_vortex_pipeline *core, unsigned warp);

/* Releases warps from a barrier. */
void sl_vortex_pass_barrier(struct sl_vortex_pipeline *core, sl_warps warps);

/* One cycle of the units that are not computed ahead (vortex_operands.h). */
void sl_vortex_units(struct sl_vortex_pipeline *core);

/* Adds due results to the waiting ones; one result per slice commits. */
void sl_vortex_commit_slices(struct sl_vortex_pipeline *core, struct sl_vortex_due *due);

/* The same for a single slice in which only the results of loads can have arrived. */
void sl_vortex_commit_load(struct sl_vortex_pipeline *core);

/* Marks registers as written; instructions that wait for them can issue from this cycle on. */
SL_VORTEX_STAGE void sl_vortex_release(struct sl_vortex_pipeline *core, uint16_t index, const bool plain)
{
  const struct sl_vortex_op *op = &core->op[index];
  sl_scoreboard_release(&core->s.scoreboard, op->warp, &op->facts);
  core->s.hindered &= ~sl_bit(op->warp);
  if (core->known.awaits >> op->warp & 1) /* else fewer pending registers change nothing */
    sl_vortex_know(core, op->warp);
  if (!plain && core->extends && core->extended[index].replaced)
    sl_extensions_commit(core->warps, op->warp, &core->extended[index], op->mask);
  core->s.in_flight[op->warp]--;
  core->s.committed[op->warp] = core->s.cycle;
  sl_vortex_let_go(core, index);
}

/* Clears the registers of all due commits, at most one per slice. Runs before all other stages. */
SL_VORTEX_STAGE void sl_vortex_clear(struct sl_vortex_pipeline *core, struct sl_vortex_due *due, const bool plain)
{
  const uint16_t first = due->clear;
  due->clear = SL_VORTEX_NONE;
  if (plain) {
    sl_vortex_release(core, first, plain);
    return;
  }
  for (uint16_t op = first, next; op != SL_VORTEX_NONE; op = next) {
    next = core->op[op].next;
    sl_vortex_release(core, op, plain);
  }
}

static inline void sl_vortex_commit_op(struct sl_vortex_pipeline *core, uint16_t index)
{
  struct sl_vortex_op *op = &core->op[index];
  struct sl_vortex_due *due = sl_vortex_due(core, core->s.cycle + core->spec->commit_delay);
  op->next = due->clear;
  due->clear = index;
  due->stages |= SL_STAGE_CLEAR;
  core->s.counts.committed += op->threads;
  if (__builtin_expect(core->watched, 0))
    sl_vortex_account_commit(core, op);
  core->s.total_in_flight--;
  if (core->s.total_in_flight == 0)
    core->s.end_cycle = core->s.cycle + core->spec->end_delay;
}

/* The units in arbitration order. The position equals the unit's number, except that the last two may be exchanged. */
static inline unsigned sl_vortex_turn(const struct sl_vortex_pipeline *core, unsigned unit)
{
  return unit ^ (core->spec->commit_fpu_before_sfu & unit >> 1);
}

/* A unit's result wins the arbitration. */
static inline void sl_vortex_win(struct sl_vortex_pipeline *core, unsigned slice, unsigned unit)
{
  core->s.last_winner[slice] = sl_vortex_turn(core, unit);
  core->s.fpu_tags[slice] -= (unsigned)(unit == SL_UNIT_FPU) & (unsigned)(core->spec->fpu_queue > 0);
}

/* Whether a result waits that arrived before this cycle, or that belongs to a load. */
SL_VORTEX_STAGE bool sl_vortex_waits(const struct sl_vortex_pipeline *core, const bool plain)
{
  const unsigned slices = plain ? 1 : core->slices;
  bool waits = core->s.waiting > 0;
  for (unsigned slice = 0; slice < slices; slice++)
    waits = waits || sl_vortex_head(core, &core->s.result[slice][SL_UNIT_LSU], core->s.cycle) != NULL;
  return waits;
}

/* Fast path: one result is due and no other waits. */
SL_VORTEX_STAGE void sl_vortex_commit(struct sl_vortex_pipeline *core, struct sl_vortex_due *due, const bool plain)
{
  const uint16_t op = due->done;
  if (plain && op == SL_VORTEX_NONE && core->s.waiting == 0) {
    sl_vortex_commit_load(core);
    return;
  }
  if (op == SL_VORTEX_NONE || core->op[op].next != SL_VORTEX_NONE || sl_vortex_waits(core, plain)) {
    sl_vortex_commit_slices(core, due);
    return;
  }
  due->done = SL_VORTEX_NONE;
  sl_vortex_win(core, core->op[op].slice, core->op[op].facts.unit);
  sl_vortex_commit_op(core, op);
}

#endif
