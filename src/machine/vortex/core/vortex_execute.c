#include "machine/vortex/core/vortex_execute.h"

#include "machine/vortex/core/vortex_control.h"

/* Looks up the streams an instruction names, in program order. What is left of it is what executes and what the stages
 * see. */
bool sl_vortex_rename(struct sl_vortex_pipeline *core, uint16_t index)
{
  struct sl_vortex_op *op = &core->op[index];
  op->renamed = true;
  op->copy = *op->insn;
  if (!sl_ipdom_rename_streams(core->warps, op->warp, op->pc, op->mask, &op->copy, &op->use)) {
    core->faulted = true;
    return false;
  }
  if (!sl_stream_used(&op->use))
    return true;
  op->own = sl_vortex_facts_of(core->spec, &op->copy);
  op->facts = &op->own;
  return true;
}

static enum sl_ipdom_effect execute_extended(struct sl_vortex_pipeline *core, uint16_t index,
                                             struct sl_ipdom_execution *ex)
{
  struct sl_vortex_op *op = &core->op[index];
  struct sl_ipdom_warps *warps = core->warps;
  if (warps->streams != NULL && !op->renamed && !sl_vortex_rename(core, index))
    return SL_IPDOM_FAULTS;
  if (warps->streams != NULL)
    ex->insn = &op->copy;
  warps->stream_begun = false;
  const enum sl_ipdom_effect effect = sl_ipdom_execute_extended(warps, op->warp, ex, op->insn, op->ends, &op->use);
  op->begins = warps->stream_begun;
  return effect;
}

/* What the instruction does, once; what the stages behind must know of it goes into the record in flight. */
void sl_vortex_execute(struct sl_vortex_pipeline *core, uint16_t index, uint64_t clock)
{
  struct sl_vortex_op *op = &core->op[index];
  struct sl_ipdom_warps *warps = core->warps;
  struct sl_ipdom_execution ex = {
      .insn = op->insn,
      .pc = op->pc,
      .active = op->mask,
      .address = core->address + ((size_t)index << warps->lane_bits),
  };
  warps->clock.cycle = clock;
  warps->clock.thread_instructions = core->counts.thread_instructions;
  const enum sl_ipdom_effect effect =
      core->extended ? execute_extended(core, index, &ex) : sl_ipdom_execute(warps, op->warp, &ex);
  op->effect = (uint8_t)effect;
  op->target = ex.target;
  op->count = ex.count;
  op->barrier = ex.barrier;
  if (op->facts->unit == SL_UNIT_LSU) {
    op->local = ex.local;
    op->io = ex.io;
    op->unsent = op->mask & ~ex.local;
  }
  ex.insn = op->insn;
  if (core->observe != NULL && effect != SL_IPDOM_FAULTS)
    core->observe(core->observer, core->number, op->warp, &ex, core->cycle);
  if (effect == SL_IPDOM_FAULTS) {
    warps->fault.cycle = core->cycle;
    core->faulted = true;
  } else if (effect == SL_IPDOM_ENDS && core->spec->execute_at_schedule)
    sl_vortex_warp_ends(core, op->warp);
}
