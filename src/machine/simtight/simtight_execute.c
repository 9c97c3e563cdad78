#include "machine/simtight/simtight_sm.h"

/* Keeps rare cases out of the hot path. */
#define RARE __attribute__((noinline))

/* Returns true if the unit of an instruction can accept it in this cycle. */
static inline __attribute__((always_inline)) bool unit_accepts(const struct sl_simtight_sm *sm, enum sl_kind kind)
{
  switch (kind) {
  case SL_KIND_MUL: return sl_multiplier_events_can_put(&sm->s.multiplier, sm->s.cycle);
  case SL_KIND_DIV: return sl_divider_can_put(&sm->s.divider, sm->s.cycle);
  case SL_KIND_FPU: return sl_fpu_can_put(&sm->s.fpu);
  case SL_KIND_VOTE: return !sl_resume_has(&sm->s.resume, SL_RESUME_MEMORY);
  default: return sl_request_path_can_put(&sm->s.path, sm->s.cycle);
  }
}

static RARE void retry(struct sl_simtight_sm *sm, unsigned warp, unsigned path, const struct sl_execution *ex)
{
  sl_paths_retry(&sm->warps.paths[warp], path);
  sl_simtight_count_slot(sm, warp, ex->insn, SL_SLOT_RETRIED);
  sm->s.requeue |= sl_bit(warp);
}

void sl_simtight_command(struct sl_simtight_sm *sm, unsigned warp, uint32_t command)
{
  if (command & SL_COMMAND_END) {
    sm->s.ended |= sl_bit(warp);
    if (sm->spec.free_ended && sm->warps.s.timing)
      sl_register_file_abandon(&sm->s.registers, warp, sm->s.cycle);
    sm->s.success &= (command & SL_COMMAND_SUCCESS) != 0;
  } else {
    sm->s.barrier.waiting |= sl_bit(warp);
    if (__builtin_expect(sm->observed, 0))
      sl_simtight_report_arrived(sm, warp);
  }
}

void sl_simtight_deadlock(struct sl_simtight_sm *sm)
{
  const unsigned warp = sl_lowest(sm->s.barrier.waiting);
  const struct sl_path *path = &sm->warps.paths[warp].path[0];
  const uint32_t pc = sl_code_before(&sm->warps.code, path->pc); /* of the warp command */
  sm->warps.fault = (struct sl_fault){.kind = SL_FAULT_DEADLOCK,
                                      .warp = (int)warp,
                                      .lanes = path->lanes,
                                      .pc = pc,
                                      .insn = *sl_code_at(&sm->warps.code, pc)};
  sm->base.state = SL_SM_FAULTED;
}

/* Sends the executed instruction to the unit that delivers its result. */
static inline __attribute__((always_inline)) void
dispatch(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex, const struct sl_request *request)
{
  const struct sl_response response = sl_response(ex->active, warp, ex->insn->rd);
  switch ((enum sl_kind)ex->insn->kind) {
  case SL_KIND_MUL:
    if (SL_CHECKS)
      sl_simtight_reference_multiply(sm, response);
    sl_multiplier_events_put(&sm->s.multiplier, response, sm->s.cycle);
    sl_resume_show_product(&sm->s.resume, &sm->s.multiplier);
    break;
  case SL_KIND_DIV: sl_divider_put(&sm->s.divider, response, sm->s.cycle); break;
  case SL_KIND_FPU: sl_fpu_put(&sm->s.fpu, ex->insn, response); break;
  case SL_KIND_VOTE: sl_simtight_vote(sm, response); break;
  default: sl_simtight_issue_memory(sm, warp, request); return;
  }
  sl_suspension_set(&sm->s.suspension, warp, ex->active, SL_WAIT_UNIT);
}

/* Executes an instruction that its unit accepts, and dispatches it. Returns false on a fault. */
static inline __attribute__((always_inline)) bool execute(struct sl_simtight_sm *sm, unsigned warp, unsigned path,
                                                          struct sl_execution *ex, const bool compressed)
{
  const bool needs_unit = sl_kind_needs_unit(ex->insn->kind);
  struct sl_request *request = sl_request_path_next(&sm->s.path);
  enum sl_effect effect;
  if (__builtin_expect(sm->observed, 0))
    sl_simtight_report_operands(sm, warp, ex);
  if (compressed) {
    request->compressed = sl_register_file_scalars(&sm->s.registers.warp[warp]) >> ex->insn->rs2 & 1;
    effect = sl_register_file_execute(&sm->s.registers, &sm->warps, warp, path, ex, request);
  } else {
    effect = sl_path_execute(&sm->warps, warp, path, ex, request);
  }
  if (effect == SL_EFFECT_FAULT || !sl_path_warps_check(&sm->warps, warp, ex->active)) {
    sm->base.state = SL_SM_FAULTED;
    return false;
  }
  const unsigned active = ex->active == sm->warps.all ? sm->warps.spec.lanes : sl_count(ex->active);
  sl_simtight_count_slot(sm, warp, ex->insn, SL_SLOT_ISSUED);
  sm->s.counts.thread_instructions += active;
  sm->s.counts.by_warp[warp]++;
  sm->s.recent[(unsigned)sm->s.cycle % SL_SIMTIGHT_RING] = (uint8_t)active;
  if (__builtin_expect(sm->observed, 0))
    sl_simtight_report(sm, warp, ex, request);
  if (needs_unit) {
    dispatch(sm, warp, ex, request);
  } else if (effect == SL_EFFECT_RESULT) {
    sm->s.result = sl_response(ex->active, warp, ex->insn->rd);
    sl_suspension_set(&sm->s.suspension, warp, ex->active, SL_WAIT_WRITE_BACK);
  }
  if (effect == SL_EFFECT_COMMAND)
    sl_simtight_command(sm, warp, ex->command);
  else
    sm->s.requeue |= sl_bit(warp);
  return true;
}

void sl_simtight_execute(struct sl_simtight_sm *sm, unsigned warp)
{
  unsigned path;
  struct sl_execution ex;
  if (!sl_path_warps_fetch(&sm->warps, warp, &path, &ex)) {
    sm->base.state = SL_SM_FAULTED;
    return;
  }
  if (sl_kind_needs_unit(ex.insn->kind) && !unit_accepts(sm, ex.insn->kind)) {
    retry(sm, warp, path, &ex);
    return;
  }
  execute(sm, warp, path, &ex, false);
}

/* ---- compressed register file ------------------------------------------------------------------------------------ */

/* Records whether the instruction was scalarisable, as prediction for the next warp. Returns the prediction for the
 * next instruction. */
static inline bool predict(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                           const struct sl_operands *operands)
{
  const size_t index = (size_t)(ex->insn - sm->warps.code.insn);
  sm->predicted[index] =
      (unsigned)(ex->active == sm->warps.all) & sl_scalar_accepts(&sm->s.registers.warp[warp], operands);
  return sm->predicted[(index + 1) & (sm->spec.code_words - 1)];
}

static RARE void suspended(struct sl_simtight_sm *sm, unsigned warp, const struct sl_insn *insn)
{
  sl_simtight_count_slot(sm, warp, insn, SL_SLOT_BUBBLE);
  sm->s.requeue |= sl_bit(warp);
}

void sl_simtight_execute_compressed(struct sl_simtight_sm *sm, unsigned warp)
{
  if (sm->s.spill_slots >> ((unsigned)sm->s.cycle % SL_SIMTIGHT_RING) & 1) {
    sl_simtight_spill(sm, warp);
    return;
  }
  unsigned path;
  struct sl_execution ex;
  if (!sl_path_warps_fetch(&sm->warps, warp, &path, &ex)) {
    sm->base.state = SL_SM_FAULTED;
    return;
  }
  const bool full = ex.active == sm->warps.all;
  const struct sl_operands *operands = sl_path_warps_operands(&sm->warps, ex.insn);
  if (sm->s.registers.warp[warp].spilled & (operands->reads | (full ? 0 : operands->writes))) {
    sl_simtight_unspill(sm, warp, ex.insn);
    return;
  }
  if (warp == 0 && sm->can_spill)
    sl_spill_use(&sm->s.spill, ex.insn->rs1, ex.insn->rs2);
  if (sm->s.slot_suspended && sl_simtight_was_suspended(sm, warp)) {
    suspended(sm, warp, ex.insn);
    return;
  }
  const bool predicted = sm->spec.scalar_pipeline && predict(sm, warp, &ex, operands);
  if (sl_kind_needs_unit(ex.insn->kind) && !unit_accepts(sm, ex.insn->kind)) {
    retry(sm, warp, path, &ex);
    return;
  }
  if (!execute(sm, warp, path, &ex, true))
    return;
  if (predicted && full && !ex.jumped) {
    sm->s.requeue_scalar = sm->s.requeue;
    sm->s.requeue = 0;
  }
}
