/* Functional execution of a Vortex core's instructions. Each instruction executes once: at issue, or at schedule (key
 * execute). */
#ifndef SL_MACHINE_VORTEX_EXECUTE_H
#define SL_MACHINE_VORTEX_EXECUTE_H

#include "machine/vortex/core/vortex_flight.h"
#include "machine/vortex/vortex_gpu.h"

/* Livelock detection for a Vortex GPU, periodically between cycles or instructions. */

/* Ends the run with a livelock fault if no running warp can leave its loop. */
void sl_vortex_check_livelock(struct sl_sm *handle);

/* The lanes of a warp by place, for the message. */
unsigned sl_vortex_warp_paths(const struct sl_sm *handle, unsigned number, struct sl_warp_path path[SL_MAX_LANES]);

/* Lets extensions replace their part of the instruction, in program order. False: the core has faulted. */
bool sl_vortex_rename(struct sl_vortex_pipeline *core, uint16_t op);

/* `clock` is the time that the instruction reads. */
void sl_vortex_execute_any(struct sl_vortex_pipeline *core, uint16_t op, uint64_t clock);

/* Fast path: the instruction only computes, and no observer is attached. */
SL_VORTEX_STAGE void sl_vortex_execute(struct sl_vortex_pipeline *core, uint16_t index, uint64_t clock,
                                       const bool plain)
{
  struct sl_vortex_op *op = &core->op[index];
  const struct sl_ipdom_warps *w = core->warps;
  op->executed = true;
  op->threads = (uint8_t)(op->mask == w->all ? w->spec.lanes : sl_count(op->mask));
  core->s.counts.instructions++;
  core->s.counts.thread_instructions += op->threads;
  if (!plain || !(op->facts.flags & SL_FACT_COMPUTES) || core->tell != NULL || sl_ipdom_code_stored(w)) {
    sl_vortex_execute_any(core, index, clock);
    return;
  }
  const struct sl_insn *in = sl_vortex_insn(core, op);
  w->ops->execute[in->op](sl_ipdom_registers(w, op->warp), in, op->mask, op->pc, w->spec.lanes);
}

#endif
