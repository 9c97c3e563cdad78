/* The cycle loop of SIMTight. It runs from the write-back end, consumers before producers. It is compiled once per
 * combination of register file and pipelines, so a machine pays only for the features that it has. */
#include "machine/simtight/simtight_replay.h"
#include "machine/simtight/simtight_sm.h"

#include <string.h>

#include "isa/probe.h"

#define SPECIALISED static inline __attribute__((always_inline))

/* ---- stages ----------------------------------------------------------------------------------------------------- */

/* Stage 6: writes the previous cycle's result, or else resumes a queued result. Either clears suspension bits. */
static struct sl_response write_back(struct sl_simtight_sm *sm)
{
  if (sm->s.result.lanes)
    return sm->s.result;
  if (!sl_resume_has(&sm->s.resume, SL_RESUME_QUEUE))
    return (struct sl_response){.lanes = 0};
  return sl_resume_take(&sm->s.resume, SL_RESUME_QUEUE);
}

/* The same with a compressed register file. The queued result waits for a write to its register and for an eviction. */
SPECIALISED struct sl_response write_back_compressed(struct sl_simtight_sm *sm)
{
  const struct sl_response nothing = {.lanes = 0};
  if (sm->s.evicted >= 0) {
    if (__builtin_expect(sm->observed, 0))
      sl_simtight_report_evicted(sm);
    sl_register_file_evict(&sm->s.registers, (unsigned)sm->s.evicted, sm->s.evicted_register, sm->s.cycle);
    sm->s.evicted = -1;
    return nothing;
  }
  const struct sl_response queued = sm->s.resume.item[SL_RESUME_QUEUE];
  if (!sm->s.result.lanes &&
      (!sl_resume_has(&sm->s.resume, SL_RESUME_QUEUE) ||
       sl_register_file_blocks(&sm->s.registers, sl_response_warp(queued), sl_response_rd(queued), sm->s.cycle)))
    return nothing;
  const struct sl_response written = write_back(sm);
  sl_register_file_write(&sm->s.registers, sl_response_warp(written), sl_response_rd(written),
                         written.lanes == sm->warps.all, sm->s.cycle);
  return written;
}

static enum sl_slot idle_reason(const struct sl_simtight_sm *sm)
{
  const sl_warps *waiting = sm->s.suspension.waiting;
  return sl_simtight_idle_reason(waiting[SL_WAIT_MEMORY] != 0, waiting[SL_WAIT_UNIT] != 0, sm->s.barrier.waiting != 0,
                                 sm->s.ended != 0);
}

/* Stage 0: picks a warp, which executes `depth` cycles later. */
SPECIALISED void schedule(struct sl_simtight_sm *sm, sl_warps available, unsigned depth)
{
  int8_t *slot = &sm->s.pipeline[(unsigned)(sm->s.cycle + depth) % SL_SIMTIGHT_RING];
  if (!available) {
    *slot = -1;
    sm->s.counts.slots[idle_reason(sm)]++;
    return;
  }
  unsigned warp = sl_scheduler_pick(&sm->s.scheduler, available);
  *slot = (int8_t)warp;
  sm->s.in_pipeline++;
  sm->s.queue &= ~sl_bit(warp);
}

/* Stage 0 in spill mode: picks a warp whose register to spill. The warp stays in its queue. */
static void schedule_spill(struct sl_simtight_sm *sm)
{
  const unsigned index = (unsigned)(sm->s.cycle + sm->depth) % SL_SIMTIGHT_RING;
  const sl_warps candidates =
      sl_spill_candidates(&sm->s.spill, sm->s.queue, sm->s.barrier.waiting, sm->s.suspension.registered);
  sm->s.pipeline[index] = -1;
  if (!candidates) {
    sm->s.counts.slots[SL_SLOT_SPILL]++;
    return;
  }
  sm->s.pipeline[index] = (int8_t)sl_spill_pick(&sm->s.spill, candidates);
  sm->s.spill_slots |= (uint16_t)(1u << index);
  sm->s.in_pipeline++;
}

/* End of a cycle: the state of the compressed register file. */
SPECIALISED void clock_compressed(struct sl_simtight_sm *sm, struct sl_response written)
{
  struct sl_response *settled = &sm->s.settling[(unsigned)sm->s.cycle % 4];
  sl_suspension_clear(&sm->s.suspension, sl_response_warp(*settled), settled->lanes);
  settled->lanes = 0;
  sm->s.settling[(unsigned)(sm->s.cycle + SL_SIMTIGHT_RESULT_DELAY) % 4] = written;
  if (sm->can_spill)
    sl_spill_clock(&sm->s.spill, sm->s.registers.spec.slots - sm->s.registers.in_use, sm->s.cycle);
  sl_register_file_clock(&sm->s.registers, sm->s.cycle);
}

/* ---- a cycle ---------------------------------------------------------------------------------------------------- */

SPECIALISED void cycle(struct sl_simtight_sm *sm, const bool compressed, const bool scalar, const bool holds)
{
  const struct sl_response written = compressed ? write_back_compressed(sm) : write_back(sm);
  sl_warps requeued = sm->s.requeue;
  if (scalar && sm->s.requeue_scalar) {
    if (sm->s.scalar.resident == sm->spec.scalar_warps)
      requeued |= sm->s.requeue_scalar;
    else
      sl_scalar_enter(&sm->s.scalar, sm->s.requeue_scalar);
    sm->s.requeue_scalar = 0;
  }
  sm->s.requeue = 0;
  sm->s.result.lanes = 0;
  sl_simtight_units_cycle(sm, sm->s.cycle);
  const sl_warps released = sl_barrier_cycle(&sm->s.barrier, compressed && !holds && sm->s.spill.mode);

  /* The schedulers use this cycle's registers. Execute, below, changes their values for the next cycle. */
  if (!compressed)
    schedule(sm, holds ? 0 : sm->s.queue & ~sm->s.suspension.registered, SL_SIMTIGHT_DEPTH);
  else if (holds)
    schedule(sm, 0, sm->depth);
  else if (sm->s.spill.mode)
    schedule_spill(sm);
  else
    schedule(sm, sm->s.queue & ~sm->s.suspension.registered & ~sm->s.spill.spilling, sm->depth);
  if (scalar && !holds && sm->s.scalar.queue)
    sl_scalar_schedule(&sm->s.scalar, sm->s.suspension.registered | sm->s.spill.spilling, sm->s.cycle);
  sl_suspension_clock(&sm->s.suspension);
  if (compressed && (sm->s.suspects || sm->s.spill_slots || sm->s.spill.policy == SL_SPILL_ROUND_ROBIN))
    sl_simtight_look_ahead(sm);
  if (scalar && sm->s.scalar.in_pipeline > 0)
    sl_simtight_check_scalar(sm);
  const unsigned executing = (unsigned)sm->s.cycle % SL_SIMTIGHT_RING;
  sm->s.recent[executing] = 0;
  if (sm->s.pipeline[executing] >= 0) {
    sm->s.in_pipeline--;
    if (compressed)
      sl_simtight_execute_compressed(sm, (unsigned)sm->s.pipeline[executing]);
    else
      sl_simtight_execute(sm, (unsigned)sm->s.pipeline[executing]);
  }
  if (scalar && sm->s.scalar.active)
    sl_simtight_scalar_cycle(sm);
  if (compressed)
    clock_compressed(sm, written);
  else if (written.lanes)
    sl_suspension_clear(&sm->s.suspension, sl_response_warp(written), written.lanes);
  sm->s.queue |= requeued | released;
  if (__builtin_expect(sm->observed, 0))
    sl_simtight_report_cycle(sm, written, released);
  sm->s.cycle++;
}

/* ---- skipping cycles without changes ----------------------------------------------------------------------------- */

/* Returns true if the state of the compressed register file and the scalar pipeline is stable. */
static bool settled(const struct sl_simtight_sm *sm)
{
  const struct sl_response *s = sm->s.settling;
  return !(s[0].lanes | s[1].lanes | s[2].lanes | s[3].lanes) && sm->s.evicted < 0 && !sm->s.requeue_scalar &&
         !sm->s.spill.mode && !sm->s.spill.spilling && sl_register_file_settled(&sm->s.registers) &&
         sl_scalar_idle(&sm->s.scalar) && !(sm->s.scalar.queue & ~sm->s.suspension.live);
}

/* Returns true if no warp changes until a unit or memory answers. */
static bool only_waiting(const struct sl_simtight_sm *sm)
{
  return sm->s.in_pipeline == 0 && !sm->s.requeue && !sm->s.result.lanes && sm->s.resume.full == 0 &&
         sm->s.multiplier.product >= sm->s.cycle && !sl_fpu_busy(&sm->s.fpu) && sl_barrier_idle(&sm->s.barrier) &&
         sm->s.suspension.registered == sm->s.suspension.live && !(sm->s.queue & ~sm->s.suspension.live) &&
         (!sm->spec.compressed || settled(sm));
}

/* The first cycle, from this one, in which a unit or memory that warps wait for changes. */
static int64_t next_event(const struct sl_simtight_sm *sm)
{
  int64_t event = sl_sooner(sl_request_path_next_event(&sm->s.path, sm->s.cycle),
                            sl_sooner(sm->s.multiplier.product + 1, sl_divider_next_event(&sm->s.divider)));
  return sm->spec.scalar_pipeline ? sl_sooner(event, sl_divider_next_event(&sm->s.scalar.divider)) : event;
}

/* Skips to the next such cycle, at most to `end`. */
static void skip(struct sl_simtight_sm *sm, int64_t end)
{
  const int64_t cycles = sl_sooner(next_event(sm), end) - sm->s.cycle;
  if (cycles <= 0)
    return;
  if (SL_CHECKS)
    sl_simtight_reference_skip(sm, cycles);
  sm->s.counts.slots[idle_reason(sm)] += (uint64_t)cycles;
  sl_barrier_skip(&sm->s.barrier, (unsigned)(cycles & 1));
  sl_simtight_skip_choices(sm, cycles);
  memset(sm->s.pipeline, -1, sizeof sm->s.pipeline);
  memset(sm->s.scalar.pipeline, -1, sizeof sm->s.scalar.pipeline);
  for (int64_t i = 0; i < cycles && i < SL_SIMTIGHT_RING; i++)
    sm->s.recent[(unsigned)(sm->s.cycle + i) % SL_SIMTIGHT_RING] = 0;
  sm->s.cycle += cycles;
}

/* ---- the run ---------------------------------------------------------------------------------------------------- */

/* Returns true if every warp has ended or waits at the barrier and no block is complete: the barrier can never open. */
static bool barrier_deadlock(const struct sl_simtight_sm *sm)
{
  const struct sl_barrier *b = &sm->s.barrier;
  if (!b->waiting || (b->waiting | sm->s.ended) != sl_low_bits(b->warps) || b->state != SL_BARRIER_SNAPSHOT)
    return false;
  return !sl_barrier_opening(b);
}

static void finish(struct sl_simtight_sm *sm)
{
  sm->base.state = SL_SM_DONE;
  if (sm->observed)
    sl_simtight_account_end(sm);
  if (SL_CHECKS)
    sl_simtight_conserve(sm);
}

/* Ends the kernel, detects a deadlock, or skips cycles. */
SPECIALISED void look_around(struct sl_simtight_sm *sm, int64_t end, const bool compressed)
{
  if (sm->s.ended == sl_low_bits(sm->spec.warps))
    finish(sm);
  else if (sm->s.in_pipeline == 0 && sm->s.barrier.waiting && barrier_deadlock(sm))
    sl_simtight_deadlock(sm);
  else if (sm->s.in_pipeline == 0 && only_waiting(sm))
    skip(sm, end);
  else if (compressed && sm->s.spill.fruitless >= SL_SIMTIGHT_FRUITLESS)
    sl_simtight_check_spilling(sm);
}

/* Whether the observer takes what the loop by windows tells, and wants no more. */
static bool takes_lives(const struct sl_simtight_sm *sm)
{
  enum { MORE = SL_PROBE_ACCESSED | SL_PROBE_FENCED | SL_PROBE_QUEUED | SL_PROBE_VALUES };
  const struct sl_probes *probes = sm->environment.probes;
  return probes->records != NULL && probes->records->lives && (probes->wanted & MORE) == 0 && probes->only == 0;
}

#define RUN(name, compressed, scalar)                                                                                  \
  static void name(struct sl_simtight_sm *sm, int64_t end)                                                             \
  {                                                                                                                    \
    while (sm->s.cycle < end && sm->base.state == SL_SM_RUNNING) {                                                     \
      if (!(compressed) && !sm->observed && sm->s.in_pipeline > 0)                                                     \
        sl_simtight_run_windows(sm, end);                                                                              \
      else if (!(compressed) && sm->observed && sm->s.in_pipeline > 0 && takes_lives(sm))                              \
        sl_simtight_tell_windows(sm, end);                                                                             \
      else                                                                                                             \
        cycle(sm, compressed, scalar, false);                                                                          \
      if (sm->base.state != SL_SM_FAULTED)                                                                             \
        look_around(sm, end, compressed);                                                                              \
    }                                                                                                                  \
  }

RUN(run_plain, false, false)
RUN(run_compressed, true, false)
RUN(run_scalar, true, true)

void sl_simtight_run_cycles(struct sl_sm *handle, uint64_t cycles)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  const int64_t end = cycles > INT64_MAX / 2 ? INT64_MAX / 2 : sm->s.cycle + (int64_t)cycles;
  if (!sm->spec.compressed)
    run_plain(sm, end);
  else if (!sm->spec.scalar_pipeline)
    run_compressed(sm, end);
  else
    run_scalar(sm, end);
  if (sm->base.state == SL_SM_FAULTED)
    sm->warps.fault.cycle = (uint64_t)sm->s.cycle;
}

#define DRAIN(name, compressed, scalar)                                                                                \
  static void name(struct sl_simtight_sm *sm, int64_t end)                                                             \
  {                                                                                                                    \
    while (sm->s.cycle < end && sm->base.state == SL_SM_RUNNING && !sl_simtight_drained(sm)) {                         \
      cycle(sm, compressed, scalar, true);                                                                             \
      look_around(sm, sm->s.cycle, false);                                                                             \
    }                                                                                                                  \
  }

DRAIN(drain_plain, false, false)
DRAIN(drain_compressed, true, false)
DRAIN(drain_scalar, true, true)

bool sl_simtight_drain(struct sl_sm *handle, uint64_t cycles)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  const int64_t end = sm->s.cycle + (int64_t)cycles;
  sl_replay_lose(sm->replay);
  if (!sm->spec.compressed)
    drain_plain(sm, end);
  else if (!sm->spec.scalar_pipeline)
    drain_compressed(sm, end);
  else
    drain_scalar(sm, end);
  const bool drained = sm->base.state == SL_SM_RUNNING && sl_simtight_drained(sm);
  if (drained && sm->spec.compressed)
    sl_simtight_unpack(sm);
  return drained;
}
