/* What listeners are told of an executed instruction. */
#include "machine/simtight/simtight_sm.h"

/* In the functional mode there are no cycles: instructions are numbered instead. */
static uint64_t when(const struct sl_simtight_sm *sm)
{
  return sm->warps.s.timing ? (uint64_t)sm->s.cycle : sm->s.counts.instructions - 1;
}

static void report_access(const struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                          const struct sl_request *request)
{
  const struct sl_access_event event = {
      .cycle = when(sm),
      .launch = sm->s.launches - 1,
      .warp = warp,
      .active = ex->active,
      .pc = ex->pc,
      .kind = ex->insn->kind,
      .width = ex->insn->width,
      .address = request->address,
      .lanes = sm->warps.spec.lanes,
  };
  sm->environment.access(sm->environment.access_context, &event);
}

static void report_commit(const struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex)
{
  const struct sl_path_warps *t = &sm->warps;
  const bool wrote = ex->insn->rd != 0;
  uint32_t *values = sl_path_warps_registers(t, warp) + ((size_t)ex->insn->rd << t->lane_bits);
  const struct sl_regular *result = &sm->s.registers.warp[warp].result;
  if (wrote && t->s.timing && sm->spec.compressed && result->once)
    t->ops->fill(values, result->base, result->stride, t->spec.lanes);
  const struct sl_commit commit = {
      .cycle = when(sm),
      .launch = sm->s.launches - 1,
      .warp = warp,
      .active = ex->active,
      .pc = ex->pc,
      .insn = ex->insn,
      .values = wrote ? values : NULL,
      .lanes = t->spec.lanes,
  };
  sm->environment.commit(sm->environment.commit_context, &commit);
}

void sl_simtight_report(const struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                        const struct sl_request *request)
{
  const enum sl_kind kind = ex->insn->kind;
  if (sm->environment.access && (kind == SL_KIND_LOAD || kind == SL_KIND_STORE || kind == SL_KIND_AMO))
    report_access(sm, warp, ex, request);
  if (sm->environment.commit)
    report_commit(sm, warp, ex);
}
