/* The lives of instructions, as the loop by windows tells them (isa/probe_records.h). `told` is SL_LIFE_FETCHED if the
 * observer has been told the warp's pick, else 0. */
#ifndef SL_MACHINE_SIMTIGHT_LIVES_H
#define SL_MACHINE_SIMTIGHT_LIVES_H

#include "machine/simtight/simtight_events.h"

/* Tells an attempt of an instruction that its unit refuses. */
void sl_simtight_tell_retry(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc, unsigned told);

/* Tells an instruction that executes in this cycle. flags: enum sl_record_life_flag; request: its access, if it
 * accesses memory. */
void sl_simtight_tell_life(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                           struct sl_request *request, unsigned flags, bool accesses);

/* The same for its kind. Its result, if it has one, is written in the next cycle, or later by a unit. */
static inline __attribute__((always_inline)) void sl_simtight_tell_execution(struct sl_simtight_sm *sm, unsigned warp,
                                                                             const struct sl_execution *ex,
                                                                             struct sl_request *request,
                                                                             const enum sl_kind kind, unsigned told)
{
  const bool accesses = sl_kind_needs_unit(kind) && kind != SL_KIND_MUL && kind != SL_KIND_DIV && kind != SL_KIND_FPU &&
                        kind != SL_KIND_VOTE;
  const bool awaited = accesses ? request->responds : sl_kind_needs_unit(kind);
  sl_simtight_tell_life(sm, warp, ex, request,
                        told | SL_LIFE_EXECUTED | SL_LIFE_WAITED | (awaited ? SL_LIFE_GOES_ON : 0u), accesses);
}

#endif
