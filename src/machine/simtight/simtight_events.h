/* The usual events of the SM, which it writes as records if the observer takes them (isa/probe.h). Call only if
 * there is an observer. */
#ifndef SL_MACHINE_SIMTIGHT_EVENTS_H
#define SL_MACHINE_SIMTIGHT_EVENTS_H

#include "isa/probe.h"
#include "machine/simtight/simtight_sm.h"

enum sl_simtight_stage { SL_SIMTIGHT_PICK, SL_SIMTIGHT_EXECUTE, SL_SIMTIGHT_RESULT, SL_SIMTIGHT_DONE };

static inline enum sl_simtight_stage sl_simtight_stage_of(enum sl_probe_kind kind)
{
  switch (kind) {
  case SL_PROBE_ISSUED: return SL_SIMTIGHT_EXECUTE;
  case SL_PROBE_STAGED: return SL_SIMTIGHT_RESULT;
  case SL_PROBE_RETIRED:
  case SL_PROBE_RETRIED:
  case SL_PROBE_ABORTED:
  case SL_PROBE_FLUSHED: return SL_SIMTIGHT_DONE;
  default: return SL_SIMTIGHT_PICK;
  }
}

static inline void sl_simtight_stop(struct sl_simtight_sm *sm)
{
  if (sl_probes_stopped(sm->environment.probes) && sm->base.state == SL_SM_RUNNING)
    sm->base.state = SL_SM_STOPPED;
}

/* Adds a record of an event that the observer wants, if it takes records. */
static inline bool sl_simtight_record(struct sl_simtight_sm *sm, struct sl_probe_record record)
{
  struct sl_probes *probes = sm->environment.probes;
  if (probes->records == NULL)
    return false;
  record.cycle = sm->warps.s.timing ? (uint64_t)sm->s.cycle : sm->s.counts.instructions - 1;
  *sl_record_add(probes, sm->s.launches - 1) = record;
  sl_simtight_stop(sm);
  return true;
}

/* Tells an event of an instruction, with its lanes. */
static inline void sl_simtight_tell_of(struct sl_simtight_sm *sm, enum sl_probe_kind kind, uint64_t id, unsigned warp,
                                       uint32_t pc, sl_lanes active)
{
  if (!sl_probes_want(sm->environment.probes, kind))
    return;
  const struct sl_probe_record record = {.kind = (uint8_t)__builtin_ctz(kind),
                                         .stage = (uint8_t)sl_simtight_stage_of(kind),
                                         .id = id,
                                         .warp = warp,
                                         .pc = pc,
                                         .more = active};
  if (!sl_simtight_record(sm, record))
    sl_simtight_tell(sm, (struct sl_probe){.kind = kind, .id = id, .warp = warp, .pc = pc, .active = active});
}

/* Tells cycles of the issue slot. */
static inline void sl_simtight_tell_waited(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc, unsigned cause,
                                           uint64_t cycles)
{
  if (!sl_probes_want(sm->environment.probes, SL_PROBE_WAITED))
    return;
  const struct sl_probe_record record = {.kind = __builtin_ctz(SL_PROBE_WAITED),
                                         .stage = sl_record_wait(cause, SL_PROBE_BUSY, false),
                                         .warp = warp,
                                         .pc = pc,
                                         .more = cycles};
  if (!sl_simtight_record(sm, record))
    sl_simtight_tell(
        sm,
        (struct sl_probe){.kind = SL_PROBE_WAITED, .warp = warp, .pc = pc, .cause = cause, .count = (int64_t)cycles});
}

/* ---- lives (simtight_accounting.c)
 * ------------------------------------------------------------------------------------ */

/* The lives of instructions, as the loop by windows tells them (isa/probe.h). `told` is SL_LIFE_FETCHED if the
 * observer has been told the warp's pick, else 0. */

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
