/* RISC-V kernels on the SM7 GPU, as a device with a host CPU sees it. Core, crossbar, L2 and DRAM are those of PTX
 * kernels.
 *
 * With timing the blocks are dispatched as on the real machine. Without timing they run one after another, the warps of
 * each in turns; if a block takes long, others run beside it. */
#include "machine/sm7/sm7_gpu.h"

#include <stdlib.h>

#include "base/livelock.h"
#include "machine/sm7/riscv/sm7_rv_warps.h"
#include "machine/sm7/sm7_engine.h"
#include "machine/sm7/sm7_lower.h"
#include "machine/sm7/sm7_ptx.h"

/* Memory map: that of SIMTight's runtime, with more room for code. */
#define CODE_BASE UINT32_C(0x08000400)
#define BUFFERS_BASE UINT32_C(0x10000000)
#define BUFFERS_END UINT32_C(0xbfe70000) /* start of the host's stack */

enum {
  ISA_SETS = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZFINX | SL_ISA_LINEAR | SL_ISA_LANES,
  HOST_ISA_SETS = SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_SIMT_FPU | SL_ISA_HOST,
  TURN = 256 /* instructions of a warp without timing */
};

static struct sl_soc soc(const void *spec)
{
  const struct sl_sm7_spec *s = spec;
  return (struct sl_soc){.lanes = SL_SM7_LANES,
                         .warps = s->warps,
                         .cores = s->clusters * s->sms_per_cluster,
                         .issue_slots = s->schedulers,
                         .lanes_switch = sl_sm7_takes_turns(s),
                         .scratchpad_bytes = s->shared_bytes,
                         .code_base = CODE_BASE,
                         .code_words = SL_SM7_RV_CODE_WORDS,
                         .isa_sets = ISA_SETS,
                         .host_isa_sets = HOST_ISA_SETS,
                         .buffers_base = BUFFERS_BASE,
                         .buffers_end = BUFFERS_END,
                         .launches = SL_LAUNCH_GRID};
}

static void destroy(struct sl_sm *sm)
{
  struct sl_sm7_device *d = sl_sm7_device_of(sm);
  if (d == NULL)
    return;
  if (d->gpu != NULL)
    sl_sm7_gpu_destroy(d->gpu);
  sl_sm7_turns_free(d);
  sl_sm7_rv_free(&d->rv);
  free(d->resident);
  free(d->arrived);
  if (d->restored != NULL)
    destroy(&d->restored->base);
  free(d);
}

static enum sl_status create(const void *spec, const struct sl_sm_environment *environment, struct sl_sm **sm,
                             struct sl_error *err)
{
  struct sl_sm7_device *d = calloc(1, sizeof *d);
  if (d == NULL)
    return sl_no_memory(err, sizeof *d);
  d->base.machine = &sl_sm7;
  d->spec = *(const struct sl_sm7_spec *)spec;
  enum sl_status code = sl_sm7_rv_init(&d->rv, &d->spec, environment, CODE_BASE, ISA_SETS, err);
  if (code == SL_OK)
    code = sl_sm7_gpu_create(&d->gpu, &d->spec, err);
  if (code == SL_OK) {
    d->resident = calloc((size_t)d->rv.sms * SL_SM7_MAX_BLOCKS, sizeof *d->resident);
    d->arrived = calloc((size_t)d->rv.sms * d->rv.warps, sizeof *d->arrived);
    code = d->resident != NULL && d->arrived != NULL
               ? SL_OK
               : sl_no_memory(err, d->rv.sms * SL_SM7_MAX_BLOCKS * sizeof *d->resident);
  }
  if (code != SL_OK) {
    destroy(&d->base);
    return code;
  }
  sl_sm7_rv_blocks_init(&d->rv, environment->mode, environment->portable_lanes);
  *sm = &d->base;
  return SL_OK;
}

static void write_instruction(struct sl_sm *sm, uint32_t address, uint64_t word)
{
  struct sl_sm7_device *d = sl_sm7_device_of(sm);
  const uint32_t index = sl_code_index(&d->rv.code, address);
  if (index < SL_SM7_RV_CODE_WORDS && !sl_sm7_rv_write_code(&d->rv, index, (uint32_t)word))
    d->code_lost = true;
}

static void fail(struct sl_sm7_device *d, enum sl_fault_kind kind, const char *why)
{
  d->rv.fault = (struct sl_fault){.kind = kind, .warp = -1, .pc = d->rv.entry, .detail = why};
  d->base.state = SL_SM_FAULTED;
}

/* Replaces the GPU after a kernel that did not end. */
static bool renew(struct sl_sm7_device *d)
{
  struct sl_sm7_gpu *fresh = NULL;
  if (sl_sm7_gpu_create(&fresh, &d->spec, &(struct sl_error){0}) != SL_OK)
    return false;
  sl_sm7_gpu_destroy(d->gpu);
  d->gpu = fresh;
  return true;
}

static void start(struct sl_sm *sm, uint32_t entry, uint32_t closure, uint32_t warps_per_block)
{
  struct sl_sm7_device *d = sl_sm7_device_of(sm);
  const bool apart = d->skips;
  if (apart)
    sl_sm7_turns_resume(d);
  const bool clean = !d->begun || (d->base.state == SL_SM_DONE && !apart) || renew(d);
  (void)warps_per_block;
  d->base.state = SL_SM_RUNNING;
  d->begun = d->ended = false;
  sl_sm7_turns_start(d, 0);
  d->before = sl_sm7_gpu_totals(d->gpu);
  d->rv.launches++;
  d->rv.observation.ids = 0;
  if (!sl_sm7_rv_launch(&d->rv, entry, closure) || !sl_sm7_rv_forms_choose(&d->rv))
    d->base.state = SL_SM_FAULTED;
  else if (d->rv.linear.chosen != NULL && d->spec.linear_shadow && !sl_sm7_rv_shadow_make(&d->rv, sl_sm7_rv_issue))
    fail(d, SL_FAULT_INTERNAL, "out of memory for shadow execution");
  else if (d->spec.oracle)
    fail(d, SL_FAULT_EXTENSION, "oracles support only PTX kernels; set oracle=none");
  else if (d->code_lost || !clean)
    fail(d, SL_FAULT_INTERNAL, "out of memory for the program or the GPU");
}

static void set_timing(struct sl_sm *sm, bool timing)
{
  sl_sm7_device_of(sm)->rv.timed = timing;
}

/* ---- with timing ------------------------------------------------------------------------------------------------- */

/* Reports events from now on, if there is an observer and they are not reported yet. */
static bool observe(struct sl_sm7_device *d)
{
  if (d->rv.environment.probes == NULL || d->gpu->events != NULL)
    return true;
  d->rv.observation = (struct sl_sm7_observation){.probes = d->rv.environment.probes,
                                                  .ids = d->rv.observation.ids,
                                                  .launch = d->rv.launches - 1,
                                                  .warps = d->spec.warps,
                                                  .base = CODE_BASE,
                                                  .scale = sizeof(uint32_t),
                                                  .entry = sl_code_index(&d->rv.code, d->rv.entry)};
  return sl_sm7_gpu_observe(d->gpu, &d->rv.observation, &(struct sl_error){0}) == SL_OK;
}

static bool begin_timed(struct sl_sm7_device *d)
{
  const struct sl_sm7_front front = sl_sm7_rv_front(&d->rv);
  const struct sl_sm7_demand demand = sl_sm7_rv_demand(&d->rv);
  d->begun = sl_sm7_gpu_launch(d->gpu, &front, &demand, &(struct sl_error){0}) == SL_OK;
  if (!d->begun)
    fail(d, SL_FAULT_EXTENSION,
         "a block of the launch does not fit on an SM because of its threads, shared memory or registers; launch "
         "smaller "
         "blocks");
  return d->base.state == SL_SM_RUNNING;
}

static void run_cycles(struct sl_sm *sm, uint64_t cycles)
{
  struct sl_sm7_device *d = sl_sm7_device_of(sm);
  if (!d->begun && !begin_timed(d))
    return;
  if (!observe(d)) {
    fail(d, SL_FAULT_INTERNAL, "out of memory for events");
    return;
  }
  struct sl_probes *probes = d->rv.environment.probes;
  const uint32_t environment = sl_fp_enter();
  const uint64_t until = d->gpu->cycle + cycles;
  enum sl_status code = SL_PAUSED;
  while (code == SL_PAUSED && d->gpu->cycle < until && d->base.state == SL_SM_RUNNING) {
    code = sl_sm7_gpu_run(d->gpu, until);
    if (code == SL_PAUSED && sl_probes_stopped(probes))
      d->base.state = SL_SM_STOPPED;
  }
  sl_fp_leave(environment);
  d->ended = code == SL_OK && !d->skips;
  if (d->ended)
    d->after = sl_sm7_gpu_totals(d->gpu);
  if (code == SL_OK)
    d->base.state = SL_SM_DONE;
  else if (code != SL_PAUSED)
    d->base.state = SL_SM_FAULTED;
  if (code == SL_INTERNAL)
    fail(d, SL_FAULT_INTERNAL, "out of memory for outstanding loads");
}

/* ---- without ----------------------------------------------------------------------------------------------------- */

/* Reports warps of the current block that arrive at the barrier or leave it. */
static void tell_barrier(const struct sl_sm7_device *d, enum sl_probe_kind kind, uint64_t warps)
{
  struct sl_probes *probes = d->rv.environment.probes;
  const struct sl_sm7_rv_place at = sl_sm7_turns_place(d, d->now);
  for (uint64_t rest = sl_probes_want(probes, kind) ? warps : 0; rest; rest &= rest - 1) {
    const unsigned warp = sl_sm7_rv_number(&d->rv, at.sm, at.slot, sl_lowest(rest));
    sl_tell(probes, &(struct sl_probe){.kind = kind,
                                       .id = d->arrived[warp].id,
                                       .cycle = d->steps.sm.warp_instructions - 1,
                                       .launch = d->rv.launches - 1,
                                       .core = at.sm,
                                       .pc = sl_code_address(&d->rv.code, d->arrived[warp].pc),
                                       .warp = warp,
                                       .lanes = SL_SM7_LANES});
  }
}

static int next(struct sl_sm *sm, unsigned after)
{
  struct sl_sm7_device *d = sl_sm7_device_of(sm);
  if (!sl_sm7_turns_choose(d))
    return -1;
  struct sl_sm7_resident *block = &d->resident[d->now];
  if ((block->live & ~block->waiting) == 0) { /* all live warps are at the barrier */
    tell_barrier(d, SL_PROBE_RELEASED, block->waiting);
    block->waiting = 0;
  }
  uint64_t ready = block->live & ~block->waiting;
  if (d->rv.linear.chosen != NULL)
    ready &= sl_sm7_rv_linear_ready(&d->rv, block->live);
  const uint64_t later = ready & ~sl_low_bits(after + 1 < 64 ? after + 1 : 0);
  return (int)sl_lowest(later != 0 ? later : ready);
}

static uint64_t run_warp(struct sl_sm *sm, struct sl_time_slice *slice, uint64_t most)
{
  struct sl_sm7_device *d = sl_sm7_device_of(sm);
  const unsigned warp = slice->warp;
  struct sl_sm7_resident *block = &d->resident[d->now];
  struct sl_sm7_rv_place at = sl_sm7_turns_place(d, d->now);
  at.warp = warp;
  const struct sl_simt_stack *stack = &d->rv.warp[sl_sm7_rv_number(&d->rv, at.sm, at.slot, warp)].stack;
  const uint64_t bit = sl_bit(warp), instructions = sl_time_slice_most(slice, most);
  const uint32_t environment = sl_fp_enter();
  uint64_t done = 0;
  while (done < instructions && (block->live & ~block->waiting & bit) && d->base.state == SL_SM_RUNNING) {
    if (d->rv.linear.chosen != NULL && !(sl_sm7_rv_linear_ready(&d->rv, block->live) & bit))
      break;
    const struct sl_sm7_rv_run run = sl_sm7_rv_blocks_run(&d->rv, &at, instructions - done);
    done += run.instructions;
    d->steps.sm.warp_instructions += run.instructions;
    d->steps.sm.thread_instructions += run.thread_instructions;
    if (sl_probes_stopped(d->rv.environment.probes))
      d->base.state = SL_SM_STOPPED;
    if (done == instructions || d->base.state == SL_SM_STOPPED)
      break;
    struct sl_sm7_effect effect;
    effect.id = 0;
    const uint32_t index = sl_simt_stack_pc(stack);
    if (!sl_sm7_rv_issue(&d->rv, at.sm, at.slot, warp, d->steps.sm.warp_instructions, &effect)) {
      d->base.state = SL_SM_FAULTED;
      break;
    }
    done++;
    d->steps.sm.warp_instructions++;
    d->steps.sm.thread_instructions += (unsigned)__builtin_popcount(effect.counted);
    if (d->rv.fact[index].kind == SL_SM7_BARRIER && effect.counted != 0) {
      block->waiting |= bit;
      d->arrived[sl_sm7_rv_number(&d->rv, at.sm, at.slot, warp)] =
          (struct sl_sm7_in_flight){.id = d->rv.observation.ids, .pc = index};
      tell_barrier(d, SL_PROBE_ARRIVED, bit);
    }
    if (effect.live == 0)
      block->live &= ~bit;
    if (sl_probes_stopped(d->rv.environment.probes))
      d->base.state = SL_SM_STOPPED;
  }
  sl_fp_leave(environment);
  slice->left = done < instructions && d->base.state != SL_SM_STOPPED ? 0 : slice->left - done;
  return done;
}

static void none(struct sl_sm *sm)
{
  struct sl_sm7_device *d = sl_sm7_device_of(sm);
  if (d->base.state == SL_SM_RUNNING)
    d->base.state = SL_SM_DONE;
}

/* ---- livelock ---------------------------------------------------------------------------------------------------- */

/* Without timing: whether all warps spin, and no further block can begin. */
static bool all_spin(struct sl_sm7_device *d)
{
  struct sl_trial_memory *memory = sl_trial_memory_create();
  bool any = false, all = d->next_block >= sl_sm7_turns_end(d) || d->residents >= sl_sm7_turns_most(d);
  for (unsigned k = 0; k < d->residents && all; k++) {
    const struct sl_sm7_resident *block = &d->resident[k];
    const struct sl_sm7_rv_place at = sl_sm7_turns_place(d, k);
    const uint64_t running = block->live & ~block->waiting;
    if (running == 0 && (block->live != 0 || d->next_block < sl_sm7_turns_end(d)))
      all = false; /* a barrier opens, or a block begins */
    for (uint64_t rest = running; rest && all; rest &= rest - 1, any = true)
      all = sl_sm7_rv_spins(&d->rv, at.sm, at.slot, sl_lowest(rest), memory);
  }
  sl_trial_memory_free(memory);
  return all && any;
}

static void check_livelock(struct sl_sm *sm)
{
  struct sl_sm7_device *d = sl_sm7_device_of(sm);
  if (d->begun ? sl_sm7_gpu_is_livelocked(d->gpu) : all_spin(d))
    d->base.state = SL_SM_FAULTED;
  else
    d->rv.fault = (struct sl_fault){.kind = SL_FAULT_NONE};
}

/* ---- observable state -------------------------------------------------------------------------------------------- */

static uint64_t elapsed(const struct sl_sm *sm)
{
  const struct sl_sm7_device *d = sl_sm7_device_of_const(sm);
  return !d->rv.timed ? d->steps.sm.warp_instructions : d->begun || d->skips ? d->gpu->cycle : 0;
}

static const struct sl_fault *fault(const struct sl_sm *sm)
{
  return &sl_sm7_device_of_const(sm)->rv.fault;
}

static bool succeeded(const struct sl_sm *sm)
{
  const struct sl_sm7_device *d = sl_sm7_device_of_const(sm);
  return d->base.state == SL_SM_DONE && !d->rv.failed;
}

static uint64_t counter(const struct sl_sm *sm, size_t index)
{
  const struct sl_sm7_device *d = sl_sm7_device_of_const(sm);
  if (!d->begun && !d->skips)
    return sl_sm7_counter(&d->steps, 0, index);
  const bool ended = d->ended && !d->skips;
  const struct sl_sm7_totals now = ended ? d->after : sl_sm7_gpu_totals(d->gpu);
  return sl_sm7_counter(&now, d->gpu->cycle, index) - sl_sm7_counter(&d->before, 0, index);
}

/* Without timing: the live and the waiting warps of an SM. */
static struct sl_sm7_resident warps_of(const struct sl_sm7_device *d, unsigned sm)
{
  struct sl_sm7_resident all = {0};
  for (unsigned k = sm; k < d->residents; k += d->rv.sms) {
    all.live |= d->resident[k].live << k / d->rv.sms * d->rv.warps_per_block;
    all.waiting |= d->resident[k].waiting << k / d->rv.sms * d->rv.warps_per_block;
  }
  return all;
}

static struct sl_warp_status warp_status(const struct sl_sm *sm, unsigned number)
{
  const struct sl_sm7_device *d = sl_sm7_device_of_const(sm);
  const struct sl_simt_stack *stack = &d->rv.warp[number].stack;
  const unsigned warp = number % d->spec.warps;
  const struct sl_sm7_sm *core = &d->gpu->sm[number / d->spec.warps];
  const struct sl_sm7_resident fast = warps_of(d, number / d->spec.warps);
  const uint64_t live = d->begun ? core->live : fast.live;
  const uint64_t waiting = d->begun ? core->barrier : fast.waiting;
  if (!(live >> warp & 1) || stack->depth == 0)
    return (struct sl_warp_status){.wait = SL_WARP_OFF};
  return (struct sl_warp_status){.wait = waiting >> warp & 1                     ? SL_WARP_AT_BARRIER
                                         : d->begun && core->on_load >> warp & 1 ? SL_WARP_WAITS_FOR_MEMORY
                                                                                 : SL_WARP_RUNS,
                                 .pc = sl_code_address(&d->rv.code, sl_simt_stack_pc(stack)),
                                 .active = sl_simt_stack_mask(stack)};
}

static unsigned warp_paths(const struct sl_sm *sm, unsigned number, struct sl_warp_path path[SL_MAX_LANES])
{
  const struct sl_sm7_device *d = sl_sm7_device_of_const(sm);
  const unsigned count = sl_convergences[sl_sm7_scheme(&d->spec)]->places(&d->rv.warp[number].stack, path);
  for (unsigned i = 0; i < count; i++)
    path[i].pc = sl_code_address(&d->rv.code, path[i].pc);
  return count;
}

static uint32_t read_register(const struct sl_sm *sm, unsigned warp, unsigned lane, unsigned reg)
{
  const uint32_t *x = sl_sm7_device_of_const(sm)->rv.warp[warp].x;
  return x != NULL ? x[(size_t)reg * SL_SM7_LANES + lane] : 0;
}

static bool write_register(struct sl_sm *sm, unsigned warp, unsigned lane, unsigned reg, uint32_t value)
{
  uint32_t *x = sl_sm7_device_of(sm)->rv.warp[warp].x;
  if (reg != 0 && x != NULL)
    x[(size_t)reg * SL_SM7_LANES + lane] = value;
  return x != NULL;
}

/* Of the uppermost entry that has the lane. */
static struct sl_simt_stack_entry *entry_of(const struct sl_sm *sm, unsigned warp, unsigned lane)
{
  struct sl_simt_stack *stack = &sl_sm7_device_of_const(sm)->rv.warp[warp].stack; /* a separate array */
  for (uint32_t i = stack->depth; i-- > 0;)
    if (stack->entries[i].mask >> lane & 1)
      return &stack->entries[i];
  return NULL;
}

static uint32_t read_pc(const struct sl_sm *sm, unsigned warp, unsigned lane)
{
  const struct sl_simt_stack_entry *entry = entry_of(sm, warp, lane);
  return entry != NULL ? sl_code_address(&sl_sm7_device_of_const(sm)->rv.code, entry->pc) : 0;
}

/* Shared memory is a block's; a stack is its thread's. */
static uint8_t *lane_byte(struct sl_sm *sm, unsigned warp, unsigned lane, uint32_t address)
{
  const struct sl_sm7_rv *rv = &sl_sm7_device_of(sm)->rv;
  const struct sl_sm7_rv_warp *w = &rv->warp[warp];
  const uint32_t word = ~address / 4, offset = address - SL_SM7_RV_SHARED;
  if (address >= SL_SM7_RV_LOCAL)
    return word < w->local_words ? (uint8_t *)&w->local[(size_t)word * SL_SM7_LANES + lane] + address % 4 : NULL;
  if (address < SL_SM7_RV_SHARED || offset >= rv->launch.shared_bytes || rv->warps_per_block == 0)
    return NULL;
  uint8_t *shared = rv->block[warp / rv->warps * SL_SM7_MAX_BLOCKS + warp % rv->warps / rv->warps_per_block].shared;
  return shared != NULL ? shared + offset : NULL;
}

static bool write_pc(struct sl_sm *sm, unsigned warp, unsigned lane, uint32_t pc)
{
  struct sl_simt_stack_entry *entry = entry_of(sm, warp, lane);
  if (entry != NULL)
    entry->pc = sl_code_index(&sl_sm7_device_of(sm)->rv.code, pc);
  return entry != NULL;
}

static struct sl_peaks peaks(const void *spec)
{
  const struct sl_sm7_spec *s = spec;
  const double sms = (double)s->clusters * s->sms_per_cluster;
  const double dram = (double)s->channels * SL_SM7_SECTOR * s->dram_mhz / s->core_mhz;
  return (struct sl_peaks){
      .operations = {sms * s->schedulers * SL_SM7_LANES, "clusters x sms_per_cluster x schedulers x 32"},
      .dram = {dram, "channels x 32 x dram.mhz / core.mhz"},
      .scratchpad = {sms * SL_SM7_LANES * 4, "clusters x sms_per_cluster x 32 x 4"},
      .traffic_role = SL_COUNTER_DRAM_BEATS,
      .traffic_bytes = SL_SM7_SECTOR,
      .clock_mhz = s->core_mhz};
}

static unsigned profiled(const void *spec)
{
  (void)spec;
  return 0;
}

static const struct sl_advice advice[] = {{SL_FAULT_NONE, NULL, 0, 0}};

static struct sl_occupancy occupancy(const struct sl_sm *handle)
{
  const struct sl_sm7_device *d = sl_sm7_device_of_const(handle);
  const struct sl_sm7_demand demand = sl_sm7_rv_demand(&d->rv);
  struct sl_sm7_occupancy o;
  struct sl_occupancy result = {.most_warps = d->spec.warps};
  if (sl_sm7_occupancy(&d->spec, &demand, &o, NULL) != SL_OK)
    return result;
  result.blocks = o.resident;
  result.warps = o.resident * d->rv.warps_per_block;
  result.limits = o.resident < o.fits ? SL_OCCUPANCY_GRID : o.limited;
  return result;
}

static void parse(const void *spec, struct sl_ptx_options *options)
{
  sl_sm7_lower_text(spec, options);
}

/* Launches with an oracle or a shadow have no checkpoints. */
static bool resumes(const void *spec)
{
  const struct sl_sm7_spec *s = spec;
  return s->oracle == SL_PTX_NO_ORACLE && !s->linear_shadow;
}

static const struct sl_machine_ptx for_ptx = {.parse = parse, .resumes = resumes};

const struct sl_machine sl_sm7 = {
    .name = "sm7",
    .summary = "a Volta-like GPU that matches GPGPU-Sim's SM7_TITANV cycle by cycle; runs PTX and RISC-V",
    .keys = &sl_sm7_keys,
    .spec_size = sizeof(struct sl_sm7_spec),
    .counters = &sl_sm7_counters,
    .stages = &sl_sm7_stages,
    .causes = &sl_sm7_stall_reasons,
    .energy = sl_sm7_energy,
    .profiled = profiled,
    .check = sl_sm7_check,
    .soc = soc,
    .peaks = peaks,
    .advice = advice,
    .life = {.create = create,
             .destroy = destroy,
             .write_instruction = write_instruction,
             .start = start,
             .set_timing = set_timing,
             .run_cycles = run_cycles,
             .check_livelock = check_livelock},
    .steps = {.slice = TURN, .next = next, .run_warp = run_warp, .none = none},
    .view = {.elapsed = elapsed,
             .fault = fault,
             .succeeded = succeeded,
             .counter = counter,
             .occupancy = occupancy,
             .warp_status = warp_status,
             .warp_paths = warp_paths,
             .read_register = read_register,
             .read_pc = read_pc,
             .write_register = write_register,
             .write_pc = write_pc,
             .lane_byte = lane_byte},
    .state = {.walk = sl_sm7_walk, .fits = sl_sm7_state_fits, .restore = sl_sm7_state_restore},
    .sampling = {.progress = SL_COUNTER_WARP_INSTRUCTIONS, .launches = true},
    .ptx = &for_ptx,
};
