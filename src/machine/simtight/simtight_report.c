/* Notification of the observer. This code runs only with an observer. */
#include "machine/simtight/simtight_events.h"

void sl_simtight_report_event(struct sl_simtight_sm *sm, enum sl_probe_kind kind, unsigned warp,
                              const struct sl_insn *insn, unsigned reg)
{
  const struct sl_code *code = &sm->warps.code;
  sl_simtight_tell(sm, (struct sl_probe){.kind = kind,
                                         .id = sm->s.account.attempt[warp],
                                         .warp = warp,
                                         .pc = sl_code_address(code, sl_code_number(code, insn)),
                                         .reg = reg});
  if (kind == SL_PROBE_ABORTED)
    sm->s.account.attempt[warp] = 0;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static enum sl_regularity regularity_of(struct sl_regular value)
{
  return !value.regular ? SL_GENERAL : value.stride ? SL_AFFINE : SL_UNIFORM;
}

/* Regularity of a plain register's values. It is compared again only after a change. */
static enum sl_regularity plain(struct sl_simtight_sm *sm, unsigned warp, unsigned reg)
{
  uint8_t *known = &sm->s.account.known[warp][reg];
  if (*known == 0) {
    const uint32_t *x = sl_path_warps_registers(&sm->warps, warp) + ((size_t)reg << sm->warps.lane_bits);
    *known = (uint8_t)(1 + regularity_of(sl_register_file_compare(&sm->s.registers, &sm->warps, x)));
  }
  return (enum sl_regularity)(*known - 1);
}

/* Regularity of a register that the instruction reads. */
static enum sl_regularity operand(struct sl_simtight_sm *sm, unsigned warp, unsigned reg)
{
  const struct sl_warp_registers *r = &sm->s.registers.warp[warp];
  if (!sm->spec.compressed)
    return plain(sm, warp, reg);
  return (r->vector | r->spilled) >> reg & 1 ? SL_GENERAL : r->affine >> reg & 1 ? SL_AFFINE : SL_UNIFORM;
}

static enum sl_regularity result(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex)
{
  sm->s.account.known[warp][ex->insn->rd] = 0;
  if (ex->active != sm->warps.all)
    return SL_GENERAL;
  return sm->spec.compressed ? regularity_of(sm->s.registers.warp[warp].result) : plain(sm, warp, ex->insn->rd);
}

static void tell_value(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex, unsigned reg,
                       bool writes)
{
  if (reg != 0)
    sl_simtight_tell(sm, (struct sl_probe){.kind = SL_PROBE_VALUES,
                                           .id = writes ? sm->s.account.executed[warp] : sm->s.account.attempt[warp],
                                           .warp = warp,
                                           .pc = ex->pc,
                                           .reg = reg,
                                           .regularity = writes ? result(sm, warp, ex) : operand(sm, warp, reg),
                                           .writes = writes});
}

void sl_simtight_report_operands(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  if (!sl_probes_want(sm->environment.probes, SL_PROBE_VALUES))
    return;
  if (in->kind != SL_KIND_CSR || sl_reads_rs1(in))
    tell_value(sm, warp, ex, in->rs1, false);
  tell_value(sm, warp, ex, in->rs2, false);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* Adds the record of an execution, if the observer takes records and nothing more. */
static bool record_execution(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                             const struct sl_request *request)
{
  const struct sl_path_warps *t = &sm->warps;
  struct sl_probes *probes = sm->environment.probes;
  const struct sl_insn *in = ex->insn;
  if (probes->records == NULL || (probes->wanted & SL_PROBE_EXECUTION) != SL_PROBE_EXECUTED || probes->only != 0)
    return false;
  const struct sl_probe_record record = {
      .cycle = t->s.timing ? (uint64_t)sm->s.cycle : sm->s.counts.instructions - 1,
      .id = sm->s.account.executed[warp],
      .pc = ex->pc,
      .more = ex->active,
      .warp = warp,
  };
  sl_record_execution(probes, sm->s.launches - 1, &record, in, t->spec.lanes,
                      in->rd != 0 ? sl_path_warps_registers(t, warp) + ((size_t)in->rd << t->lane_bits) : NULL,
                      in->width != 0 && request != NULL ? request->address : NULL);
  sl_simtight_stop(sm);
  return true;
}

static void tell_execution(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                           const struct sl_request *request)
{
  const struct sl_path_warps *t = &sm->warps;
  struct sl_probes *probes = sm->environment.probes;
  uint32_t *values = sl_path_warps_registers(t, warp) + ((size_t)ex->insn->rd << t->lane_bits);
  const struct sl_warp_registers *r = &sm->s.registers.warp[warp];
  const struct sl_regular *result_of = &r->result;
  const unsigned source = ex->insn->rs2;
  const uint32_t *stored = sl_path_warps_registers(t, warp) + ((size_t)source << t->lane_bits);
  uint32_t expanded[SL_MAX_LANES];
  if (!sl_probes_want_execution(probes, ex->insn))
    return;
  if (ex->insn->rd != 0 && t->s.timing && sm->spec.compressed && result_of->once)
    t->ops->fill(values, result_of->base, result_of->stride, t->spec.lanes);
  if (record_execution(sm, warp, ex, request))
    return;
  if (t->s.timing && sm->spec.compressed && (r->stale >> source & 1) != 0) {
    t->ops->fill(expanded, r->base[source], r->stride[source], t->spec.lanes);
    stored = expanded;
  }
  sl_tell_execution(probes, &(struct sl_probe){
                                .cycle = t->s.timing ? (uint64_t)sm->s.cycle : sm->s.counts.instructions - 1,
                                .id = sm->s.account.executed[warp],
                                .launch = sm->s.launches - 1,
                                .pc = ex->pc,
                                .insn = ex->insn,
                                .warp = warp,
                                .active = ex->active,
                                .lanes = t->spec.lanes,
                                .scalar = request == NULL,
                                .values = values,
                                .stored = stored,
                                .address = request != NULL ? request->address : NULL,
                            });
  if (sl_probes_stopped(probes) && sm->base.state == SL_SM_RUNNING)
    sm->base.state = SL_SM_STOPPED;
}

/* Reports a memory access. Its transactions are reported later. */
static void report_access(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                          struct sl_request *request)
{
  request->instruction = sl_code_number(&sm->warps.code, ex->insn);
  const unsigned banks = sm->spec.scratchpad_banks;
  if (ex->insn->kind != SL_KIND_FENCE && request->scratchpad)
    sl_simtight_tell(sm, (struct sl_probe){.kind = SL_PROBE_BANKED,
                                           .id = sm->s.account.executed[warp],
                                           .warp = warp,
                                           .pc = ex->pc,
                                           .count = request->scratchpad_passes,
                                           .least = (sl_count(request->scratchpad) + banks - 1) / banks});
}

/* Returns true if the instruction's result, and its retirement, come later. */
static bool awaited(const struct sl_execution *ex, const struct sl_request *request)
{
  switch ((enum sl_kind)ex->insn->kind) {
  case SL_KIND_MUL:
  case SL_KIND_DIV:
  case SL_KIND_FPU:
  case SL_KIND_VOTE: return true;
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_AMO:
  case SL_KIND_LRSC:
  case SL_KIND_FENCE: return request->responds;
  default: return ex->insn->rd != 0;
  }
}

/* The instruction waits for its result. */
static void await(struct sl_simtight_sm *sm, unsigned warp, uint64_t id, const struct sl_execution *ex)
{
  sl_simtight_tell_of(sm, SL_PROBE_STAGED, id, warp, ex->pc, ex->active);
  sm->s.account.awaited[warp] = ex->pc;
  sm->s.account.awaited_id[warp] = id;
  sm->s.account.lanes[warp] = sm->s.account.unanswered[warp] = ex->active;
}

/* The id of the instruction that executes. Without timing instructions have no earlier event. */
static uint64_t begin_execution(struct sl_simtight_sm *sm, unsigned warp)
{
  const uint64_t attempt = sm->s.account.attempt[warp];
  const uint64_t id = sm->warps.s.timing && attempt != 0 ? attempt : ++sm->s.account.ids;
  sm->s.account.attempt[warp] = 0;
  sm->s.account.executed[warp] = id;
  return id;
}

/* Records do not tell the scalar pipeline. */
static void tell_issue(struct sl_simtight_sm *sm, unsigned warp, uint64_t id, const struct sl_execution *ex,
                       bool scalar)
{
  if (sm->environment.probes->records != NULL)
    sl_simtight_tell_of(sm, SL_PROBE_ISSUED, id, warp, ex->pc, ex->active);
  else
    sl_simtight_tell(
        sm, (struct sl_probe){
                .kind = SL_PROBE_ISSUED, .id = id, .warp = warp, .pc = ex->pc, .active = ex->active, .scalar = scalar});
}

void sl_simtight_report(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                        struct sl_request *request)
{
  const enum sl_kind kind = ex->insn->kind;
  const uint64_t id = begin_execution(sm, warp);
  sm->s.account.last[warp] = sm->s.account.latest = ex->pc;
  sm->s.account.filling &= ~sl_bit(warp);
  if (!sm->warps.s.timing) {
    tell_execution(sm, warp, ex, request);
    return;
  }
  tell_issue(sm, warp, id, ex, request == NULL);
  tell_execution(sm, warp, ex, request);
  if (sl_probes_want(sm->environment.probes, SL_PROBE_VALUES))
    tell_value(sm, warp, ex, ex->insn->rd, true);
  if (kind == SL_KIND_LOAD || kind == SL_KIND_STORE || sl_kind_is_atomic(kind) || kind == SL_KIND_FENCE)
    report_access(sm, warp, ex, request);
  if (awaited(ex, request))
    await(sm, warp, id, ex);
  else
    sl_simtight_tell_of(sm, SL_PROBE_RETIRED, id, warp, ex->pc, ex->active);
}

/* ---- stages ------------------------------------------------------------------------------------------------------ */

static void report_warp(struct sl_simtight_sm *sm, enum sl_probe_kind kind, unsigned warp)
{
  sl_simtight_tell_of(sm, kind, sm->s.account.executed[warp], warp, sm->s.account.last[warp], 0);
}

void sl_simtight_report_written(struct sl_simtight_sm *sm, struct sl_response written)
{
  const unsigned warp = sl_response_warp(written);
  if (sm->s.account.filling & sl_bit(warp))
    return;
  sm->s.account.unanswered[warp] &= ~written.lanes;
  if (sm->s.account.unanswered[warp] != 0 || sm->s.account.lanes[warp] == 0)
    return;
  sl_simtight_tell_of(sm, SL_PROBE_RETIRED, sm->s.account.awaited_id[warp], warp, sm->s.account.awaited[warp],
                      sm->s.account.lanes[warp]);
  sm->s.account.lanes[warp] = 0;
}

/* A warp that leaves the scalar pipeline with its instruction has not executed it. */
static void report_scalar_exit(struct sl_simtight_sm *sm)
{
  const struct sl_scalar_slot *leaving = &sm->s.scalar.leaving;
  const struct sl_paths *paths = &sm->warps.paths[leaving->warp];
  if (leaving->full)
    sl_simtight_account_flushed(sm, leaving->warp, paths->path[sl_paths_select(paths)].pc);
}

/* Reports the fetch of the instruction at the warp's active path, which does not change before it executes. */
static void report_fetch(struct sl_simtight_sm *sm, unsigned warp)
{
  const struct sl_paths *paths = &sm->warps.paths[warp];
  sm->s.account.attempt[warp] = ++sm->s.account.ids;
  if (sl_probes_want(sm->environment.probes, SL_PROBE_FETCHED))
    sl_simtight_tell_of(sm, SL_PROBE_FETCHED, sm->s.account.attempt[warp], warp, paths->path[sl_paths_select(paths)].pc,
                        0);
}

void sl_simtight_report_arrived(struct sl_simtight_sm *sm, unsigned warp)
{
  report_warp(sm, SL_PROBE_ARRIVED, warp);
}

void sl_simtight_report_released(struct sl_simtight_sm *sm, sl_warps released)
{
  const unsigned step = sm->s.barrier.block != 0 ? sm->s.barrier.block : sm->s.barrier.warps;
  for (; released; released &= released - 1) {
    const unsigned warp = sl_lowest(released);
    sl_simtight_tell(sm, (struct sl_probe){.kind = SL_PROBE_RELEASED,
                                           .id = sm->s.account.executed[warp],
                                           .warp = warp,
                                           .pc = sm->s.account.last[warp],
                                           .together = sl_low_bits(step) << (warp - warp % step)});
  }
}

void sl_simtight_report_cycle(struct sl_simtight_sm *sm, struct sl_response written, sl_warps released)
{
  const unsigned index = (unsigned)(sm->s.cycle + sm->depth) % SL_SIMTIGHT_RING;
  const int warp = sm->s.pipeline[index];
  const int scalar = sm->s.scalar.pipeline[(unsigned)(sm->s.cycle + SL_SCALAR_DEPTH) % SL_SCALAR_RING];
  if (written.lanes)
    sl_simtight_report_written(sm, written);
  if (warp >= 0) {
    sl_simtight_account_pick(sm, (unsigned)warp);
    if (!(sm->s.spill_slots >> index & 1))
      report_fetch(sm, (unsigned)warp);
  }
  if (sm->spec.scalar_pipeline)
    report_scalar_exit(sm);
  if (sm->spec.scalar_pipeline && scalar >= 0)
    report_fetch(sm, (unsigned)scalar);
  sl_simtight_report_released(sm, released);
}

void sl_simtight_report_evicted(struct sl_simtight_sm *sm)
{
  const unsigned warp = (unsigned)sm->s.evicted;
  sl_simtight_tell(
      sm, (struct sl_probe){
              .kind = SL_PROBE_EVICTED, .warp = warp, .pc = sm->s.account.last[warp], .reg = sm->s.evicted_register});
}

static void report_transaction(struct sl_simtight_sm *sm, const struct sl_request *request)
{
  if (request->instruction != SL_NO_INSTRUCTION)
    sl_simtight_tell_of(sm, SL_PROBE_TRANSACTED, request->responds ? sm->s.account.awaited_id[request->warp] : 0,
                        request->warp, sl_code_address(&sm->warps.code, request->instruction), 0);
}

void sl_simtight_report_path(struct sl_simtight_sm *sm, int64_t now)
{
  struct sl_request_path *p = &sm->s.path;
  const uint64_t passes = p->passes;
  const int deciding = sl_request_path_deciding(p);
  if (!sl_request_path_active(p))
    return;
  sl_request_path_cycle(p, sm->warps.ops, &sm->s.stack_cache, now);
  if (p->passes != passes)
    report_transaction(sm, &p->pool[deciding]);
  sl_simtight_account_queue(sm, deciding);
}
