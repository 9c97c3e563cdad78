/* The cycle loop, from the write-back end: consumers before producers. Built once for each combination of register file
 * and pipelines, so that a machine pays only for what it has. */
#include <string.h>

#include "machine/simtight/simtight_sm.h"

#define SPECIALISED static inline __attribute__((always_inline))

/* ---- stages ----------------------------------------------------------------------------------------------------- */

/* Stage 6: the previous cycle's result is written, or else a queued result is resumed; either clears suspension bits.
 */
static struct sl_response write_back(struct sl_simtight_sm *sm)
{
  if (sm->result.lanes)
    return sm->result;
  if (!sm->resume.full)
    return (struct sl_response){.lanes = 0};
  sm->resume.full = false;
  return sm->resume.item;
}

/* The same with a compressed register file: the queued result must not meet a write to its register, nor an eviction.
 */
SPECIALISED struct sl_response write_back_compressed(struct sl_simtight_sm *sm)
{
  const struct sl_response nothing = {.lanes = 0};
  if (sm->evicted >= 0) {
    sl_register_file_evict(&sm->registers, (unsigned)sm->evicted, sm->evicted_register, sm->cycle);
    sm->evicted = -1;
    return nothing;
  }
  if (!sm->result.lanes &&
      (!sm->resume.full || sl_register_file_blocks(&sm->registers, sl_response_warp(sm->resume.item),
                                                   sl_response_rd(sm->resume.item), sm->cycle)))
    return nothing;
  const struct sl_response written = write_back(sm);
  sl_register_file_write(&sm->registers, sl_response_warp(written), sl_response_rd(written),
                         written.lanes == sm->warps.all, sm->cycle);
  return written;
}

/* The resume merge: one result per cycle into the resume queue. The order is the shape of the hardware's reduction
 * tree: memory, multiplier, divider without an FPU; multiplier, divider, memory, FPU with one. */
SPECIALISED void merge_resumes(struct sl_simtight_sm *sm)
{
  if (sm->resume.full)
    return;
  const int64_t now = sm->cycle;
  if (sm->memory_response.full && !sm->spec.fpu) {
    sm->memory_response.full = false;
    sl_pipeline_put(&sm->resume, sm->memory_response.item);
  } else if (sm->multiplier.result.count > 0) {
    sl_pipeline_put(&sm->resume, sl_register_take(&sm->multiplier.result, now));
  } else if (sl_divider_can_take(&sm->divider, now)) {
    sl_pipeline_put(&sm->resume, sl_divider_take(&sm->divider, now));
  } else if (sm->memory_response.full) {
    sm->memory_response.full = false;
    sl_pipeline_put(&sm->resume, sm->memory_response.item);
  } else if (sm->fpu.response.full) {
    sl_pipeline_put(&sm->resume, sl_fpu_take(&sm->fpu));
  }
}

/* The fair 2:1 merge of DRAM and scratchpad answers. */
static void merge_memory(struct sl_simtight_sm *sm)
{
  if (sm->memory_response.full)
    return;
  struct sl_shift_queue *dram = &sm->coalescer.response, *scratchpad = &sm->scratchpad.response;
  const bool take_scratchpad = scratchpad->full && (!dram->full || sm->last_was_dram);
  if (!take_scratchpad && !dram->full)
    return;
  const struct sl_response response = sl_shift_take(take_scratchpad ? scratchpad : dram, sm->cycle);
  sl_pipeline_put(&sm->memory_response, response);
  sm->counts.answered += sl_count(response.lanes);
  sm->last_was_dram = !take_scratchpad;
}

static void count_transaction(const struct sl_simtight_sm *sm, const struct sl_request *request)
{
  if (request->instruction != SL_NO_INSTRUCTION)
    sm->environment.profile->rows[request->instruction].transactions++;
}

void sl_simtight_memory_path(struct sl_simtight_sm *sm)
{
  const int64_t now = sm->cycle;
  merge_memory(sm);
  bool taken = false;
  if (sl_coalescer_responding(&sm->coalescer))
    taken = sl_coalescer_respond(&sm->coalescer, &sm->dram, now);
  if (sm->dram.active || taken || sl_dram_next_event(&sm->dram) <= now)
    sl_dram_cycle(&sm->dram, now, taken);
  if (sm->scratchpad.active)
    sl_scratchpad_cycle(&sm->scratchpad, now);
  if (!sm->coalescer.active)
    return;
  const uint64_t passes = sm->coalescer.passes;
  const int16_t deciding = sm->coalescer.stage[4];
  sl_coalescer_cycle(&sm->coalescer, &sm->dram, &sm->scratchpad, &sm->stack_cache, now);
  if (__builtin_expect(sm->environment.profile != NULL, 0) && sm->coalescer.passes != passes)
    count_transaction(sm, &sm->coalescer.pool[deciding]);
}

/* Whether anything on the memory path can move in this cycle. */
SPECIALISED bool memory_path_busy(const struct sl_simtight_sm *sm)
{
  return sm->coalescer.active || sm->dram.active || sm->scratchpad.active || sm->scratchpad.response.full ||
         sl_coalescer_responding(&sm->coalescer);
}

/* Why no warp can be picked. */
static enum sl_slot idle_reason(const struct sl_simtight_sm *sm)
{
  if (sm->suspension.waiting[SL_WAIT_MEMORY])
    return SL_SLOT_MEMORY;
  if (sm->suspension.waiting[SL_WAIT_UNIT])
    return SL_SLOT_UNIT;
  if (sm->barrier.waiting)
    return SL_SLOT_BARRIER;
  return sm->ended ? SL_SLOT_FINISHED : SL_SLOT_PIPELINE;
}

/* Stage 0: picks a warp; it executes `depth` cycles later. */
SPECIALISED void schedule(struct sl_simtight_sm *sm, sl_warps available, unsigned depth)
{
  int8_t *slot = &sm->pipeline[(unsigned)(sm->cycle + depth) % SL_SIMTIGHT_RING];
  if (!available) {
    *slot = -1;
    sm->counts.slots[idle_reason(sm)]++;
    return;
  }
  unsigned warp = sl_scheduler_pick(&sm->scheduler, available);
  *slot = (int8_t)warp;
  sm->in_pipeline++;
  sm->queue &= ~sl_bit(warp);
  if (__builtin_expect(sm->environment.profile != NULL, 0))
    sl_simtight_profile_pick(sm, warp);
}

/* Stage 0 in spill mode: picks a warp to spill a register of. It stays in its queue. */
static void schedule_spill(struct sl_simtight_sm *sm)
{
  const unsigned index = (unsigned)(sm->cycle + sm->depth) % SL_SIMTIGHT_RING;
  const sl_warps candidates =
      sl_spill_candidates(&sm->spill, sm->queue, sm->barrier.waiting, sm->suspension.registered);
  sm->pipeline[index] = -1;
  if (!candidates) {
    sm->counts.slots[SL_SLOT_SPILL]++;
    return;
  }
  sm->pipeline[index] = (int8_t)sl_spill_pick(&sm->spill, candidates);
  sm->spill_slots |= (uint16_t)(1u << index);
  sm->in_pipeline++;
  if (sm->environment.profile)
    sl_simtight_profile_pick(sm, (unsigned)sm->pipeline[index]);
}

/* The end of a cycle, for what the compressed register file adds. */
SPECIALISED void clock_compressed(struct sl_simtight_sm *sm, struct sl_response written)
{
  struct sl_response *settled = &sm->settling[(unsigned)sm->cycle % 4];
  if (settled->lanes) {
    sl_suspension_clear(&sm->suspension, sl_response_warp(*settled), settled->lanes);
    settled->lanes = 0;
  }
  if (written.lanes)
    sm->settling[(unsigned)(sm->cycle + SL_SIMTIGHT_RESULT_DELAY) % 4] = written;
  if (sm->can_spill)
    sl_spill_clock(&sm->spill, sm->registers.spec.slots - sm->registers.in_use, sm->cycle);
  sl_register_file_clock(&sm->registers, sm->cycle);
}

/* ---- a cycle ---------------------------------------------------------------------------------------------------- */

SPECIALISED void cycle(struct sl_simtight_sm *sm, const bool compressed, const bool scalar)
{
  const struct sl_response written = compressed ? write_back_compressed(sm) : write_back(sm);
  sl_warps requeued = sm->requeue;
  if (scalar && sm->requeue_scalar) {
    if (sm->scalar.resident == sm->spec.scalar_warps)
      requeued |= sm->requeue_scalar;
    else
      sl_scalar_enter(&sm->scalar, sm->requeue_scalar);
    sm->requeue_scalar = 0;
  }
  sm->requeue = 0;
  sm->result.lanes = 0;
  merge_resumes(sm);
  if (sl_fpu_busy(&sm->fpu) || sm->fpu.consumed)
    sl_fpu_cycle(&sm->fpu, sm->cycle);
  if (memory_path_busy(sm))
    sl_simtight_memory_path(sm);
  sm->multiplier_ready = !sl_multiplier_busy(&sm->multiplier) || sl_multiplier_cycle(&sm->multiplier, sm->cycle);
  const sl_warps released = sl_barrier_cycle(&sm->barrier, compressed && sm->spill.mode);

  /* The schedulers decide from this cycle's registers; execute below changes what they hold in the next. */
  if (!compressed)
    schedule(sm, sm->queue & ~sm->suspension.registered, SL_SIMTIGHT_DEPTH);
  else if (sm->spill.mode)
    schedule_spill(sm);
  else
    schedule(sm, sm->queue & ~sm->suspension.registered & ~sm->spill.spilling, sm->depth);
  if (scalar && sm->scalar.queue)
    sl_scalar_schedule(&sm->scalar, sm->suspension.registered | sm->spill.spilling, sm->cycle);
  sl_suspension_clock(&sm->suspension);
  if (compressed && (sm->suspects || sm->spill_slots || sm->spill.policy == SL_SPILL_ROUND_ROBIN))
    sl_simtight_look_ahead(sm);
  if (scalar && sm->scalar.in_pipeline > 0)
    sl_simtight_check_scalar(sm);
  const unsigned executing = (unsigned)sm->cycle % SL_SIMTIGHT_RING;
  sm->recent[executing] = 0;
  if (sm->pipeline[executing] >= 0) {
    sm->in_pipeline--;
    if (compressed)
      sl_simtight_execute_compressed(sm, (unsigned)sm->pipeline[executing]);
    else
      sl_simtight_execute(sm, (unsigned)sm->pipeline[executing]);
  }
  if (scalar && sm->scalar.active)
    sl_simtight_scalar_cycle(sm);
  if (compressed)
    clock_compressed(sm, written);
  else if (written.lanes)
    sl_suspension_clear(&sm->suspension, sl_response_warp(written), written.lanes);
  sm->queue |= requeued | released;
  sm->cycle++;
}

/* ---- skipping cycles in which nothing changes -------------------------------------------------------------------- */

static int64_t earlier(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* Of what the compressed register file, the stack cache and the scalar pipeline add, nothing moves. */
static bool settled(const struct sl_simtight_sm *sm)
{
  const struct sl_response *s = sm->settling;
  const struct sl_coalescer *c = &sm->coalescer;
  const bool stack_cache_answers = c->head_ready ? c->head.beats == 0 : c->in_flight_count > 0;
  return !stack_cache_answers && !(s[0].lanes | s[1].lanes | s[2].lanes | s[3].lanes) && sm->evicted < 0 &&
         !sm->requeue_scalar && !sm->spill.mode && !sm->spill.spilling && sl_register_file_settled(&sm->registers) &&
         sl_scalar_idle(&sm->scalar) && !(sm->scalar.queue & ~sm->suspension.live);
}

/* Whether the only thing under way is time: read data and divisions with a known end. */
static bool only_waiting(const struct sl_simtight_sm *sm)
{
  return sm->in_pipeline == 0 && !sm->requeue && !sm->result.lanes && !sm->resume.full && !sm->memory_response.full &&
         !sm->dram.active && !sm->coalescer.active && !sm->coalescer.assembled && !sm->coalescer.response.full &&
         !sm->scratchpad.active && !sm->scratchpad.response.full && sm->multiplier.occupied == 0 &&
         sm->multiplier.result.count == 0 && !sl_fpu_busy(&sm->fpu) && sl_barrier_idle(&sm->barrier) &&
         sm->suspension.registered == sm->suspension.live && !(sm->queue & ~sm->suspension.live) &&
         (!sm->spec.compressed || settled(sm));
}

/* Moves on to the next cycle in which something happens, at most to `end`. */
static void skip(struct sl_simtight_sm *sm, int64_t end)
{
  int64_t event = earlier(sl_dram_next_event(&sm->dram), sl_divider_next_event(&sm->divider));
  if (sm->spec.scalar_pipeline)
    event = earlier(event, sl_divider_next_event(&sm->scalar.divider));
  int64_t cycles = earlier(event, end) - sm->cycle;
  if (cycles <= 0)
    return;
  sm->counts.slots[idle_reason(sm)] += (uint64_t)cycles;
  sl_barrier_skip(&sm->barrier, (unsigned)(cycles & 1));
  sl_simtight_skip_choices(sm, cycles);
  memset(sm->pipeline, -1, sizeof sm->pipeline);
  memset(sm->scalar.pipeline, -1, sizeof sm->scalar.pipeline);
  memset(sm->recent, 0, sizeof sm->recent);
  sm->cycle += cycles;
}

/* ---- the run ---------------------------------------------------------------------------------------------------- */

/* Every warp has ended or waits at the barrier, and no block is complete: it can never open. */
static bool barrier_deadlock(const struct sl_simtight_sm *sm)
{
  const struct sl_barrier *b = &sm->barrier;
  if (!b->waiting || (b->waiting | sm->ended) != sl_low_bits(b->warps) || b->state != SL_BARRIER_SNAPSHOT)
    return false;
  return !sl_barrier_opening(b);
}

static void finish(struct sl_simtight_sm *sm)
{
  sm->state = SL_SM_DONE;
  if (sm->environment.profile)
    sl_simtight_profile_end(sm);
#ifdef SL_CHECK_INVARIANTS
  const char *broken = sl_simtight_broken(sm);
  if (broken == NULL)
    return;
  sm->warps.fault = (struct sl_fault){.kind = SL_FAULT_INTERNAL, .detail = broken};
  sm->state = SL_SM_FAULTED;
#endif
}

/* Ends the kernel, finds that it cannot end, or skips. */
SPECIALISED void look_around(struct sl_simtight_sm *sm, int64_t end, const bool compressed)
{
  if (sm->ended == sl_low_bits(sm->spec.warps))
    finish(sm);
  else if (sm->in_pipeline == 0 && sm->barrier.waiting && barrier_deadlock(sm))
    sl_simtight_deadlock(sm);
  else if (sm->in_pipeline == 0 && only_waiting(sm))
    skip(sm, end);
  else if (compressed && sm->spill.fruitless >= SL_SIMTIGHT_FRUITLESS)
    sl_simtight_check_spilling(sm);
}

#define RUN(name, compressed, scalar)                                                                                  \
  static void name(struct sl_simtight_sm *sm, int64_t end)                                                             \
  {                                                                                                                    \
    while (sm->cycle < end && sm->state == SL_SM_RUNNING) {                                                            \
      cycle(sm, compressed, scalar);                                                                                   \
      look_around(sm, end, compressed);                                                                                \
    }                                                                                                                  \
  }

RUN(run_plain, false, false)
RUN(run_compressed, true, false)
RUN(run_scalar, true, true)

enum sl_sm_state sl_simtight_run_cycles(struct sl_simtight_sm *sm, uint64_t cycles)
{
  const int64_t end = cycles > INT64_MAX / 2 ? INT64_MAX / 2 : sm->cycle + (int64_t)cycles;
  if (!sm->spec.compressed)
    run_plain(sm, end);
  else if (!sm->spec.scalar_pipeline)
    run_compressed(sm, end);
  else
    run_scalar(sm, end);
  if (sm->state == SL_SM_FAULTED)
    sm->warps.fault.cycle = (uint64_t)sm->cycle;
  return sm->state;
}
