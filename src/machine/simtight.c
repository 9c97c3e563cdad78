#include "machine/simtight.h"

#include <stdlib.h>
#include <string.h>

#include "machine/simtight_sm.h"

/* ---- the cycle, from the write-back end: consumers before producers ---------------------------------------------- */

/* Stage 6: the previous cycle's result is written, or else a queued result is resumed; either clears suspension bits.
 */
static struct sl_response write_back(struct sl_sm *sm)
{
  if (sm->result.lanes)
    return sm->result;
  if (!sm->resume.full)
    return (struct sl_response){.lanes = 0};
  sm->resume.full = false;
  return sm->resume.item;
}

/* The resume merge: one result per cycle into the resume queue. The order is the shape of the hardware's reduction
 * tree: memory, multiplier, divider without an FPU; multiplier, divider, memory, FPU with one. */
static void merge_resumes(struct sl_sm *sm)
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
static void merge_memory(struct sl_sm *sm)
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

void sl_simtight_memory_path(struct sl_sm *sm)
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
  if (sm->coalescer.active)
    sl_coalescer_cycle(&sm->coalescer, &sm->dram, &sm->scratchpad, now);
}

/* Why no warp can be picked. */
static enum sl_slot idle_reason(const struct sl_sm *sm)
{
  if (sm->suspension.waiting[SL_WAIT_MEMORY])
    return SL_SLOT_MEMORY;
  if (sm->suspension.waiting[SL_WAIT_UNIT])
    return SL_SLOT_UNIT;
  if (sm->barrier.waiting)
    return SL_SLOT_BARRIER;
  return sm->ended ? SL_SLOT_FINISHED : SL_SLOT_PIPELINE;
}

/* Stage 0: picks a warp; it executes DEPTH cycles later. */
static void schedule(struct sl_sm *sm, sl_warps available)
{
  int8_t *slot = &sm->pipeline[(unsigned)(sm->cycle + SL_SIMTIGHT_DEPTH) % SL_SIMTIGHT_RING];
  if (!available) {
    *slot = -1;
    sm->counts.slots[idle_reason(sm)]++;
    return;
  }
  unsigned warp = sl_scheduler_pick(&sm->scheduler, available);
  *slot = (int8_t)warp;
  sm->in_pipeline++;
  sm->queue &= ~sl_bit(warp);
}

static void cycle(struct sl_sm *sm)
{
  const struct sl_response written = write_back(sm);
  const sl_warps requeued = sm->requeue;
  sm->requeue = 0;
  sm->result.lanes = 0;
  merge_resumes(sm);
  if (sl_fpu_busy(&sm->fpu) || sm->fpu.consumed)
    sl_fpu_cycle(&sm->fpu, sm->cycle);
  sl_simtight_memory_path(sm);
  sm->multiplier_ready = !sl_multiplier_busy(&sm->multiplier) || sl_multiplier_cycle(&sm->multiplier, sm->cycle);
  const sl_warps released = sl_barrier_cycle(&sm->barrier);

  /* The scheduler decides from this cycle's registers; execute below changes what they hold in the next. */
  schedule(sm, sm->queue & ~sm->suspension.registered);
  sl_suspension_clock(&sm->suspension);
  const unsigned executing = (unsigned)sm->cycle % SL_SIMTIGHT_RING;
  sm->recent[executing] = 0;
  if (sm->pipeline[executing] >= 0) {
    sm->in_pipeline--;
    sl_simtight_execute(sm, (unsigned)sm->pipeline[executing]);
  }
  if (written.lanes)
    sl_suspension_clear(&sm->suspension, sl_response_warp(written), written.lanes);
  sm->queue |= requeued | released;
  sm->cycle++;
}

/* ---- skipping cycles in which nothing changes -------------------------------------------------------------------- */

static int64_t earlier(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* Whether the only thing under way is time: read data and divisions with a known end. */
static bool only_waiting(const struct sl_sm *sm)
{
  return sm->in_pipeline == 0 && !sm->requeue && !sm->result.lanes && !sm->resume.full && !sm->memory_response.full &&
         !sm->dram.active && !sm->coalescer.active && !sm->coalescer.assembled && !sm->coalescer.response.full &&
         !sm->scratchpad.active && !sm->scratchpad.response.full && sm->multiplier.occupied == 0 &&
         sm->multiplier.result.count == 0 && !sl_fpu_busy(&sm->fpu) && sl_barrier_idle(&sm->barrier) &&
         sm->suspension.registered == sm->suspension.live && !(sm->queue & ~sm->suspension.live);
}

/* Moves on to the next cycle in which something happens, at most to `end`. */
static void skip(struct sl_sm *sm, int64_t end)
{
  int64_t event = earlier(sl_dram_next_event(&sm->dram), sl_divider_next_event(&sm->divider));
  int64_t cycles = earlier(event, end) - sm->cycle;
  if (cycles <= 0)
    return;
  sm->counts.slots[idle_reason(sm)] += (uint64_t)cycles;
  sl_barrier_skip(&sm->barrier, (uint64_t)cycles);
  memset(sm->pipeline, -1, sizeof sm->pipeline);
  memset(sm->recent, 0, sizeof sm->recent);
  sm->cycle += cycles;
}

/* Every warp has ended or waits at the barrier, and no block is complete: it can never open. */
static bool barrier_deadlock(const struct sl_sm *sm)
{
  const struct sl_barrier *b = &sm->barrier;
  if (!b->waiting || (b->waiting | sm->ended) != sl_low_bits(b->warps) || b->state != SL_BARRIER_SNAPSHOT)
    return false;
  const unsigned step = b->block ? b->block : b->warps;
  for (unsigned first = 0; first + step <= b->warps; first += step)
    if (((b->waiting >> first) & sl_low_bits(step)) == sl_low_bits(step))
      return false;
  return true;
}

static void finish(struct sl_sm *sm)
{
  sm->state = SL_SM_DONE;
#ifdef SL_CHECK_INVARIANTS
  const char *broken = sl_simtight_broken(sm);
  if (broken == NULL)
    return;
  sm->threads.fault = (struct sl_fault){.kind = SL_FAULT_INTERNAL, .detail = broken};
  sm->state = SL_SM_FAULTED;
#endif
}

static enum sl_sm_state run_cycles(struct sl_sm *sm, uint64_t cycles)
{
  const int64_t end = cycles > INT64_MAX / 2 ? INT64_MAX / 2 : sm->cycle + (int64_t)cycles;
  const sl_warps all = sl_low_bits(sm->spec.warps);
  while (sm->cycle < end && sm->state == SL_SM_RUNNING) {
    cycle(sm);
    if (sm->ended == all)
      finish(sm);
    else if (sm->in_pipeline == 0 && sm->barrier.waiting && barrier_deadlock(sm))
      sl_simtight_deadlock(sm);
    else if (sm->in_pipeline == 0 && only_waiting(sm))
      skip(sm, end);
  }
  if (sm->state == SL_SM_FAULTED)
    sm->threads.fault.cycle = (uint64_t)sm->cycle;
  return sm->state;
}

/* ---- the machine's interface ------------------------------------------------------------------------------------ */

static void start_units(struct sl_sm *sm)
{
  const struct sl_simtight_spec *spec = &sm->spec;
  const struct sl_coalescer_spec coalescer = {
      .lanes = spec->lanes,
      .beat_bytes = spec->dram_beat_bytes,
      .fifo_depth = spec->fifo_depth,
      .in_flight_depth = spec->in_flight_depth,
      .stack_base = sm->threads.stack.physical_base,
  };
  uint8_t latency[SL_FPU_CLASS_COUNT];
  for (unsigned i = 0; i < SL_FPU_CLASS_COUNT; i++)
    latency[i] = (uint8_t)spec->fpu_latency[i];
  sl_coalescer_init(&sm->coalescer, &coalescer, sm->threads.ops);
  sl_dram_init(&sm->dram, spec->dram_latency, spec->dram_outstanding);
  sl_scratchpad_init(&sm->scratchpad);
  sl_multiplier_init(&sm->multiplier);
  sl_divider_init(&sm->divider, (enum sl_divider_kind)spec->divider, spec->divider_latency, spec->divider_depth);
  sl_fpu_init(&sm->fpu, latency, spec->fpu_limit);
}

static enum sl_code create(const void *spec, const struct sl_sm_environment *environment, struct sl_sm **sm,
                           struct sl_error *err)
{
  struct sl_sm *s = aligned_alloc(SL_CACHE_LINE, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  memset(s, 0, sizeof *s);
  s->spec = *(const struct sl_simtight_spec *)spec;
  s->environment = *environment;
  s->observed = environment->commit != NULL || environment->access != NULL;
  const struct sl_threads_spec threads = sl_simtight_threads(&s->spec);
  const struct sl_lane_ops *ops =
      environment->portable_lanes ? sl_lane_ops_portable(threads.lanes) : sl_lane_ops(threads.lanes);
  enum sl_code code = sl_threads_init(&s->threads, &threads, ops, environment->memory, err);
  if (code != SL_OK) {
    free(s);
    return code;
  }
  s->threads.print_word = environment->print_word;
  s->threads.end_program = environment->end_program;
  s->threads.print_context = environment->print_context;
  start_units(s);
  *sm = s;
  return SL_OK;
}

static void destroy(struct sl_sm *sm)
{
  if (sm == NULL)
    return;
  sl_threads_free(&sm->threads);
  free(sm);
}

static void write_instruction(struct sl_sm *sm, uint32_t address, uint32_t word)
{
  sl_threads_write_code(&sm->threads, address, word);
}

/* Registers, the schedulers' histories and the memory merge's last choice survive from kernel to kernel. */
static void start(struct sl_sm *sm, uint32_t entry, uint32_t closure, uint32_t warps_per_block)
{
  sl_threads_start(&sm->threads, entry, closure);
  start_units(sm);
  sm->cycle = 0;
  sm->queue = sl_low_bits(sm->spec.warps);
  sm->requeue = 0;
  memset(sm->pipeline, -1, sizeof sm->pipeline);
  sm->in_pipeline = 0;
  sm->result.lanes = 0;
  sm->resume.full = sm->memory_response.full = false;
  memset(&sm->suspension, 0, sizeof sm->suspension);
  sl_barrier_start(&sm->barrier, sm->spec.warps, warps_per_block, (enum sl_barrier_state)sm->spec.barrier_phase);
  memset(&sm->counts, 0, sizeof sm->counts);
  memset(sm->recent, 0, sizeof sm->recent);
  sm->turn_left = 0;
  sm->turn_rest = 0;
  sm->ended = 0;
  sm->success = true;
  sm->state = SL_SM_RUNNING;
  sm->launches++;
}

static enum sl_sm_state run(struct sl_sm *sm, uint64_t cycles, bool fast)
{
  sm->threads.timing = !fast;
  return fast ? sl_simtight_run_fast(sm, cycles) : run_cycles(sm, cycles);
}

static uint64_t elapsed(const struct sl_sm *sm)
{
  return sm->threads.timing ? (uint64_t)sm->cycle : sm->counts.instructions;
}

static const struct sl_fault *fault(const struct sl_sm *sm)
{
  return &sm->threads.fault;
}

static bool succeeded(const struct sl_sm *sm)
{
  return sm->success;
}

static struct sl_warp_status warp_status(const struct sl_sm *sm, unsigned warp)
{
  const struct sl_paths *paths = &sm->threads.paths[warp];
  const struct sl_path *path = &paths->path[sl_paths_select(paths)];
  const sl_warps bit = sl_bit(warp);
  const enum sl_warp_wait wait = sm->ended & bit                                ? SL_WARP_ENDED
                                 : sm->barrier.waiting & bit                    ? SL_WARP_AT_BARRIER
                                 : sm->suspension.waiting[SL_WAIT_MEMORY] & bit ? SL_WARP_WAITS_FOR_MEMORY
                                 : sm->suspension.waiting[SL_WAIT_UNIT] & bit   ? SL_WARP_WAITS_FOR_UNIT
                                                                                : SL_WARP_RUNS;
  return (struct sl_warp_status){.wait = wait, .pc = path->pc, .active = path->lanes};
}

static struct sl_soc soc(const void *spec)
{
  const struct sl_simtight_spec *s = spec;
  return (struct sl_soc){
      .lanes = s->lanes,
      .warps = s->warps,
      .scratchpad_bytes = s->scratchpad_bytes,
      .code_base = s->code_base,
      .code_words = s->code_words,
      .host_isa_sets = (sl_simtight_threads(s).isa_sets & ~(unsigned)SL_ISA_SIMT) | SL_ISA_HOST,
  };
}

const struct sl_machine sl_simtight = {
    .name = "simtight",
    .summary = "SIMTight streaming multiprocessor (Naylor et al.)",
    .keys = &sl_simtight_keys,
    .spec_size = sizeof(struct sl_simtight_spec),
    .counters = &sl_simtight_counters,
    .check = sl_simtight_check,
    .create = create,
    .destroy = destroy,
    .write_instruction = write_instruction,
    .start = start,
    .run = run,
    .elapsed = elapsed,
    .fault = fault,
    .succeeded = succeeded,
    .counter = sl_simtight_counter,
    .warp_status = warp_status,
    .soc = soc,
    .state_bytes = sl_simtight_state_bytes,
    .save = sl_simtight_save,
    .restore = sl_simtight_restore,
    .read_register = sl_simtight_register,
    .read_pc = sl_simtight_pc,
};
