/* The scalar pipeline's part of a cycle, and the checks before execute. */
#include "machine/simtight/simtight_sm.h"

void sl_simtight_check_scalar(struct sl_simtight_sm *sm)
{
  struct sl_scalar_pipeline *p = &sm->s.scalar;
  const int slot = p->pipeline[((unsigned)sm->s.cycle + SL_SCALAR_DEPTH - SL_SCALAR_CHECK) % SL_SCALAR_RING];
  const unsigned warp = (unsigned)slot & (SL_MAX_WARPS - 1); /* without a warp: the last one; its result is unused */
  const sl_warps bit = (sl_warps)(slot >= 0) << warp;
  const uint32_t index = sl_code_index(&sm->warps.code, sm->warps.paths[warp & (sm->spec.warps - 1)].path[0].pc);
  const struct sl_operands *operands = &sm->warps.operands[index & (sm->spec.code_words - 1)];
  const bool accepted =
      (unsigned)(index < sm->spec.code_words) & sl_scalar_accepts(&sm->s.registers.warp[warp], operands);
  p->refused = (p->refused & ~bit) | (bit & ((sl_warps)accepted - 1));
  p->suspended = (p->suspended & ~bit) | (bit & sm->s.suspension.live);
}

/* Stage u+6: the warp continues in one of the two queues and its result is written. Otherwise a queued result is
 * written. */
static void write_back(struct sl_simtight_sm *sm)
{
  struct sl_scalar_pipeline *p = &sm->s.scalar;
  const struct sl_scalar_slot leaving = p->leaving;
  const int resumed = p->resumed;
  p->leaving.full = false;
  p->resumed = -1;
  const sl_warps leaves = (sl_warps)leaving.full << leaving.warp, stays = leaves & ((sl_warps)leaving.returns - 1);
  p->queue |= stays;
  sm->s.queue |= leaves ^ stays;
  sm->s.suspects |= (leaves ^ stays) & (UINT64_C(0) - leaving.suspends);
  p->resident -= (unsigned)leaving.full & leaving.returns;
  if (leaving.full && leaving.suspends)
    sl_suspension_set(&sm->s.suspension, leaving.warp, 1, SL_WAIT_UNIT);
  if (leaving.full && leaving.writes) {
    if (__builtin_expect(sm->observed, 0))
      sl_simtight_report_written(sm, sl_response(sm->warps.all, leaving.warp, leaving.rd));
    sl_register_file_write_scalar(&sm->s.registers, leaving.warp, leaving.rd, sm->s.cycle);
  } else if (p->resume.full) {
    const struct sl_response response = p->resume.item;
    p->resume.full = false;
    p->resumed = (int)sl_response_warp(response);
    if (__builtin_expect(sm->observed, 0))
      sl_simtight_report_written(sm, sl_response(sm->warps.all, sl_response_warp(response), sl_response_rd(response)));
    sl_register_file_write_scalar(&sm->s.registers, sl_response_warp(response), sl_response_rd(response), sm->s.cycle);
  }
  if (resumed >= 0)
    sl_suspension_clear(&sm->s.suspension, (unsigned)resumed, 1);
}

static void merge_resumes(struct sl_scalar_pipeline *p, int64_t now)
{
  if (p->resume.full)
    return;
  if (p->multiplier.result.count > 0)
    sl_pipeline_put(&p->resume, sl_register_take(&p->multiplier.result, now));
  else if (sl_divider_can_take(&p->divider, now))
    sl_pipeline_put(&p->resume, sl_divider_take(&p->divider, now));
}

/* Executes an instruction that passed the check, unless its unit is busy or its affine operands do not fit the scalar
 * pipeline. Fills in the write-back data. */
static void execute(struct sl_simtight_sm *sm, unsigned warp, struct sl_execution *ex, struct sl_scalar_slot *slot)
{
  struct sl_scalar_pipeline *p = &sm->s.scalar;
  const enum sl_kind kind = ex->insn->kind;
  const struct sl_response response = sl_response(1, warp, ex->insn->rd);
  p->issues++; /* the hardware also counts retries and aborts */
  if ((kind == SL_KIND_MUL && !p->multiplier_ready) ||
      (kind == SL_KIND_DIV && !sl_divider_can_put(&p->divider, sm->s.cycle))) {
    p->retries++;
    return;
  }
  if ((sm->s.registers.warp[warp].affine & sl_path_warps_operands(&sm->warps, ex->insn)->reads) &&
      sl_scalar_misfit(&sm->s.registers.warp[warp], ex->insn, sm->warps.spec.lanes)) {
    p->misfits++;
    if (__builtin_expect(sm->observed, 0))
      sl_simtight_report_event(sm, SL_PROBE_ABORTED, warp, ex->insn, 0);
    slot->returns = true;
    return;
  }
  if (__builtin_expect(sm->observed, 0))
    sl_simtight_report_operands(sm, warp, ex);
  const enum sl_effect effect = sl_register_file_execute(&sm->s.registers, &sm->warps, warp, 0, ex, NULL);
  if (effect == SL_EFFECT_FAULT || !sl_path_warps_check(&sm->warps, warp, ex->active)) {
    sm->base.state = SL_SM_FAULTED;
    return;
  }
  sm->s.counts.by_warp[warp]++;
  if (__builtin_expect(sm->observed, 0))
    sl_simtight_report(sm, warp, ex, NULL);
  if (kind == SL_KIND_MUL)
    sl_multiplier_put(&p->multiplier, response);
  else if (kind == SL_KIND_DIV)
    sl_divider_put(&p->divider, response, sm->s.cycle);
  slot->suspends = kind == SL_KIND_MUL || kind == SL_KIND_DIV;
  slot->writes = effect == SL_EFFECT_RESULT && !slot->suspends;
  const uint32_t next = sm->warps.paths[warp].path[0].pc;
  slot->returns = !sm->predicted[sl_code_index(&sm->warps.code, next) & (sm->spec.code_words - 1)];
}

/* Stage u+5. */
static void execute_slot(struct sl_simtight_sm *sm, unsigned warp)
{
  struct sl_scalar_pipeline *p = &sm->s.scalar;
  const bool refused = p->refused & sl_bit(warp);
  unsigned path;
  struct sl_execution ex;
  p->in_pipeline--;
  p->leaving = (struct sl_scalar_slot){.full = true, .warp = (uint8_t)warp, .returns = refused};
  if (p->suspended & sl_bit(warp)) {
    p->bubbles++;
    return;
  }
  if (!sl_path_warps_fetch(&sm->warps, warp, &path, &ex)) {
    sm->base.state = SL_SM_FAULTED;
    return;
  }
  if (refused) {
    p->aborts++;
    if (__builtin_expect(sm->observed, 0))
      sl_simtight_report_event(sm, SL_PROBE_ABORTED, warp, ex.insn, 0);
    return;
  }
  p->leaving.rd = ex.insn->rd;
  execute(sm, warp, &ex, &p->leaving);
}

void sl_simtight_scalar_cycle(struct sl_simtight_sm *sm)
{
  struct sl_scalar_pipeline *p = &sm->s.scalar;
  write_back(sm);
  merge_resumes(p, sm->s.cycle);
  p->multiplier_ready = !sl_multiplier_busy(&p->multiplier) || sl_multiplier_cycle(&p->multiplier, sm->s.cycle);
  int8_t *slot = &p->pipeline[(unsigned)sm->s.cycle % SL_SCALAR_RING];
  if (*slot >= 0) {
    execute_slot(sm, (unsigned)*slot);
    *slot = -1;
  }
  sl_scalar_clock(p);
}
