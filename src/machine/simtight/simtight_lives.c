/* The lives of instructions. This code runs only with an observer. */
#include "machine/simtight/simtight_events.h"

/* Adds the record of the instruction whose attempt ends in this cycle. */
static inline struct sl_life_record *add(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc, sl_lanes active,
                                         unsigned flags)
{
  struct sl_life_record *const l = sl_record_add_life(sm->environment.probes, sm->s.launches - 1);
  const uint64_t attempt = sm->s.account.attempt[warp];
  sm->s.account.attempt[warp] = 0;
  sm->s.account.last[warp] = sm->s.account.latest = pc;
  l->record.cycle = (uint64_t)(sm->s.cycle - SL_SIMTIGHT_DEPTH);
  l->record.id = attempt != 0 ? attempt : ++sm->s.account.ids;
  l->record.pc = pc;
  l->record.more = active;
  l->record.warp = warp;
  l->record.core = 0;
  l->record.stage = (uint8_t)flags;
  return l;
}

void sl_simtight_tell_retry(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc, unsigned told)
{
  struct sl_life_record *const l = add(sm, warp, pc, 0, told | SL_LIFE_WAITED);
  sm->s.account.charged[SL_SLOT_RETRIED]++;
  l->life = (struct sl_record_life){.spent = {SL_SIMTIGHT_DEPTH},
                                    .executed = SL_SIMTIGHT_DEPTH,
                                    .end = __builtin_ctz(SL_PROBE_RETRIED),
                                    .cause = SL_SLOT_RETRIED};
}

/* Bank cycles of an access beyond those without a conflict. */
static unsigned conflicts(const struct sl_simtight_sm *sm, const struct sl_request *request)
{
  if (request->scratchpad_passes <= 1)
    return 0;
  const unsigned banks = sm->spec.scratchpad_banks, least = (sl_count(request->scratchpad) + banks - 1) / banks;
  return request->scratchpad_passes > least ? request->scratchpad_passes - least : 0;
}

void sl_simtight_tell_life(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                           struct sl_request *request, unsigned flags, bool accesses)
{
  const struct sl_path_warps *const t = &sm->warps;
  const struct sl_insn *const in = ex->insn;
  const bool awaited = (flags & SL_LIFE_GOES_ON) != 0;
  struct sl_life_record *const l = add(sm, warp, ex->pc, ex->active, flags);
  l->life = (struct sl_record_life){.spent = {SL_SIMTIGHT_DEPTH, 0, !awaited && in->rd != 0},
                                    .executed = SL_SIMTIGHT_DEPTH,
                                    .end = __builtin_ctz(SL_PROBE_RETIRED),
                                    .stage = SL_SIMTIGHT_RESULT,
                                    .cause = SL_SLOT_ISSUED};
  sm->s.account.charged[SL_SLOT_ISSUED]++;
  sm->s.account.executed[warp] = l->record.id;
  if (awaited) {
    sm->s.account.awaited[warp] = ex->pc;
    sm->s.account.awaited_id[warp] = l->record.id;
    sm->s.account.lanes[warp] = sm->s.account.unanswered[warp] = ex->active;
  }
  if (accesses) {
    request->instruction = sl_code_number(&t->code, in);
    if (in->kind != SL_KIND_FENCE && request->scratchpad)
      l->life.banked = (uint16_t)conflicts(sm, request);
  }
  sl_record_parts(sm->environment.probes->records, l, in, t->spec.lanes,
                  in->rd != 0 ? sl_path_warps_registers(t, warp) + ((size_t)in->rd << t->lane_bits) : NULL,
                  in->width != 0 && accesses ? request->address : NULL);
}
