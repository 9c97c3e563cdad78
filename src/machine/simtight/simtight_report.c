/* What listeners are told of an executed instruction. */
#include "machine/simtight/simtight_sm.h"

void sl_simtight_report(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                        const struct sl_request *request)
{
  const struct sl_path_warps *t = &sm->warps;
  struct sl_probes *probes = sm->environment.probes;
  uint32_t *values = sl_path_warps_registers(t, warp) + ((size_t)ex->insn->rd << t->lane_bits);
  const struct sl_regular *result = &sm->s.registers.warp[warp].result;
  if (sl_probes_want(probes, SL_PROBE_EXECUTED) && ex->insn->rd != 0 && t->s.timing && sm->spec.compressed &&
      result->once)
    t->ops->fill(values, result->base, result->stride, t->spec.lanes);
  sl_tell_execution(probes, &(struct sl_probe){
                                .cycle = t->s.timing ? (uint64_t)sm->s.cycle : sm->s.counts.instructions - 1,
                                .launch = sm->s.launches - 1,
                                .pc = ex->pc,
                                .insn = ex->insn,
                                .warp = warp,
                                .active = ex->active,
                                .lanes = t->spec.lanes,
                                .values = values,
                                .address = request != NULL ? request->address : NULL,
                            });
  if (sl_probes_stopped(probes) && sm->s.state == SL_SM_RUNNING)
    sm->s.state = SL_SM_STOPPED;
}
