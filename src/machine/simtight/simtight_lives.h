/* The lives of instructions, as the loop by windows tells them (isa/probe_records.h). `told` is SL_LIFE_FETCHED if the
 * observer has been told the warp's pick, else 0. */
#ifndef SL_MACHINE_SIMTIGHT_LIVES_H
#define SL_MACHINE_SIMTIGHT_LIVES_H

#include "machine/simtight/simtight_events.h"

/* The record of the instruction that executes in this cycle. */
static inline __attribute__((always_inline)) struct sl_probe_record
sl_simtight_life(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc, sl_lanes active, unsigned flags)
{
  const uint64_t attempt = sm->s.account.attempt[warp];
  sm->s.account.last[warp] = sm->s.account.latest = pc;
  return (struct sl_probe_record){.cycle = (uint64_t)(sm->s.cycle - SL_SIMTIGHT_DEPTH),
                                  .id = attempt != 0 ? attempt : ++sm->s.account.ids,
                                  .pc = pc,
                                  .more = active,
                                  .warp = warp,
                                  .stage = (uint8_t)(flags | SL_LIFE_WAITED)};
}

/* Tells an attempt of an instruction that its unit refuses. */
static inline void sl_simtight_tell_retry(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc, unsigned told)
{
  const struct sl_probe_record record = sl_simtight_life(sm, warp, pc, 0, told);
  const struct sl_record_life life = {.spent = {SL_SIMTIGHT_DEPTH},
                                      .executed = SL_SIMTIGHT_DEPTH,
                                      .end = __builtin_ctz(SL_PROBE_RETRIED),
                                      .cause = SL_SLOT_RETRIED};
  sm->s.account.charged[SL_SLOT_RETRIED]++;
  sm->s.account.attempt[warp] = 0;
  sl_record_life(sm->environment.probes, sm->s.launches - 1, &record, &life, NULL, 0, NULL, NULL);
}

/* Bank cycles of an access beyond those without a conflict. */
static inline unsigned sl_simtight_conflicts(const struct sl_simtight_sm *sm, const struct sl_request *request)
{
  const unsigned banks = sm->spec.scratchpad_banks, least = (sl_count(request->scratchpad) + banks - 1) / banks;
  return request->scratchpad_passes > least ? request->scratchpad_passes - least : 0;
}

/* Tells an instruction that executes. Its result, if it has one, is written in the next cycle, or later by a unit. */
static inline __attribute__((always_inline)) void sl_simtight_tell_execution(struct sl_simtight_sm *sm, unsigned warp,
                                                                             const struct sl_execution *ex,
                                                                             struct sl_request *request,
                                                                             const enum sl_kind kind, unsigned told)
{
  const bool accesses = sl_kind_needs_unit(kind) && kind != SL_KIND_MUL && kind != SL_KIND_DIV && kind != SL_KIND_FPU &&
                        kind != SL_KIND_VOTE;
  const bool awaited = accesses ? request->responds : sl_kind_needs_unit(kind);
  const struct sl_path_warps *t = &sm->warps;
  const struct sl_insn *in = ex->insn;
  const struct sl_probe_record record =
      sl_simtight_life(sm, warp, ex->pc, ex->active, told | SL_LIFE_EXECUTED | (awaited ? SL_LIFE_GOES_ON : 0u));
  struct sl_record_life life = {.spent = {SL_SIMTIGHT_DEPTH, 0, !awaited && in->rd != 0},
                                .executed = SL_SIMTIGHT_DEPTH,
                                .end = __builtin_ctz(SL_PROBE_RETIRED),
                                .stage = SL_SIMTIGHT_RESULT,
                                .cause = SL_SLOT_ISSUED};
  if (accesses) {
    request->instruction = sl_code_number(&t->code, in);
    if (kind != SL_KIND_FENCE && request->scratchpad)
      life.banked = (uint16_t)sl_simtight_conflicts(sm, request);
  }
  sm->s.account.charged[SL_SLOT_ISSUED]++;
  sm->s.account.attempt[warp] = 0;
  sm->s.account.executed[warp] = record.id;
  if (awaited) {
    sm->s.account.awaited[warp] = ex->pc;
    sm->s.account.awaited_id[warp] = record.id;
    sm->s.account.lanes[warp] = sm->s.account.unanswered[warp] = ex->active;
  }
  sl_record_life(sm->environment.probes, sm->s.launches - 1, &record, &life, in, t->spec.lanes,
                 in->rd != 0 ? sl_path_warps_registers(t, warp) + ((size_t)in->rd << t->lane_bits) : NULL,
                 in->width != 0 ? request->address : NULL);
}

#endif
