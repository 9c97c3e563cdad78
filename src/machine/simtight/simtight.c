#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/livelock.h"
#include "func/jit/jit.h"
#include "func/warp_livelock.h"
#include "machine/simtight/simtight_replay.h"
#include "machine/simtight/simtight_sm.h"

/* Livelock detection for a SIMTight SM, periodically between cycles. */

/* Expands register values that only the compressed register file holds, including a computed value that is not written
 * yet. */
static void expand(struct sl_simtight_sm *sm, unsigned warp)
{
  const struct sl_warp_registers *r = &sm->s.registers.warp[warp];
  struct sl_path_warps *t = &sm->warps;
  uint32_t *x = sl_path_warps_registers(t, warp);
  for (uint32_t rest = r->stale & ~UINT32_C(1); rest; rest &= rest - 1) {
    const unsigned reg = sl_lowest(rest);
    t->ops->fill(x + ((size_t)reg << t->lane_bits), r->base[reg], r->stride[reg], t->spec.lanes);
  }
  if (r->result.once)
    t->ops->fill(x + ((size_t)r->result.rd << t->lane_bits), r->result.base, r->result.stride, t->spec.lanes);
}

/* Returns true if the warp spins. Restores its state. */
static bool spins(void *context, unsigned warp, struct sl_trial_memory *memory, struct sl_spin *spin)
{
  struct sl_simtight_sm *sm = context;
  struct sl_path_warps *t = &sm->warps;
  uint32_t *x = sl_path_warps_registers(t, warp), before[SL_REGISTERS * SL_MAX_LANES];
  const size_t bytes = (size_t)SL_REGISTERS * t->spec.lanes * sizeof *x;
  const bool expands = sm->spec.compressed && t->s.timing;
  if (!expands)
    return sl_path_warp_spins(t, warp, memory, spin);
  memcpy(before, x, bytes);
  expand(sm, warp);
  const bool result = sl_path_warp_spins(t, warp, memory, spin);
  memcpy(x, before, bytes);
  return result;
}

static void check_livelock(struct sl_sm *handle)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  struct sl_fault fault = {.kind = SL_FAULT_NONE};
  const sl_warps running = sl_low_bits(sm->spec.warps) & ~sm->s.ended & ~sm->s.barrier.waiting;
  if (sl_barrier_opening(&sm->s.barrier) || !sl_path_livelock(&sm->warps, running, 0, spins, sm, &fault))
    return;
  fault.cycle = sm->warps.s.timing ? (uint64_t)sm->s.cycle : 0;
  sm->warps.fault = fault;
  sm->base.state = SL_SM_FAULTED;
}

/* ---- machine interface ------------------------------------------------------------------------------------------- */

static void start_units(struct sl_simtight_sm *sm)
{
  const struct sl_simtight_spec *spec = &sm->spec;
  const struct sl_coalescer_spec coalescer = {
      .lanes = spec->lanes,
      .beat_bytes = spec->dram_beat_bytes,
      .fifo_depth = spec->fifo_depth,
      .in_flight_depth = spec->in_flight_depth,
      .stack_base = sm->warps.stack.physical_base,
  };
  uint8_t latency[SL_FPU_CLASS_COUNT];
  for (unsigned i = 0; i < SL_FPU_CLASS_COUNT; i++)
    latency[i] = (uint8_t)spec->fpu_latency[i];
  sl_request_path_init(&sm->s.path, &coalescer, spec->dram_latency, spec->dram_outstanding);
  sl_multiplier_events_init(&sm->s.multiplier);
  sl_divider_init(&sm->s.divider, (enum sl_divider_kind)spec->divider, spec->divider_latency, spec->divider_depth);
  sl_fpu_init(&sm->s.fpu, latency, spec->fpu_limit);
}

/* Initialises the compressed register file; without one its state stays all zero. Usage counters, predictions and the
 * stack cache are kept across kernels. */
static void init_compressed(struct sl_simtight_sm *sm, bool once)
{
  const struct sl_simtight_spec *spec = &sm->spec;
  sm->depth = SL_SIMTIGHT_DEPTH;
  sm->s.registers.spec.affine = spec->affine; /* also for reports on how values of a plain file would be encoded */
  if (!spec->compressed)
    return;
  const struct sl_register_file_spec registers = {
      .lanes = spec->lanes,
      .warps = spec->warps,
      .slots = sl_simtight_slots(spec),
      .affine = spec->affine,
      .once = once,
      .addresses = sl_probes_want(sm->environment.probes, SL_PROBE_ACCESSED),
  };
  sl_register_file_init(&sm->s.registers, &registers);
  sm->can_spill = registers.slots < spec->warps * SL_REGISTERS;
  sm->depth = sm->can_spill ? SL_SIMTIGHT_DEPTH_SPILLING : SL_SIMTIGHT_DEPTH_COMPRESSED;
  sm->s.spill.policy = (enum sl_spill_policy)spec->spill_policy;
  sm->s.spill.threshold = sl_simtight_spill_threshold(spec);
  sl_stack_cache_init(&sm->s.stack_cache, spec->stack_cache_entries, sl_log2(spec->lanes * 4),
                      sm->warps.stack.physical_base);
}

static void start_compressed(struct sl_simtight_sm *sm)
{
  const struct sl_path_warps_spec *t = &sm->warps.spec;
  sl_register_file_start(&sm->s.registers);
  memset(sm->warps.x, 0, t->warps * sm->warps.warp_words * sizeof *sm->warps.x);
  sl_spill_start(&sm->s.spill);
  sl_scalar_start(&sm->s.scalar);
  sm->s.stack_cache.hits = sm->s.stack_cache.misses = 0;
  sm->s.spill_slots = 0;
  sm->s.evicted = -1;
  sm->s.requeue_scalar = 0;
  sm->s.suspects = sm->s.slot_suspended = 0;
  memset(sm->s.settling, 0, sizeof sm->s.settling);
}

static void destroy(struct sl_sm *handle)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  if (sm == NULL)
    return;
  sl_jit_close(&sm->basic_blocks);
  sl_basic_blocks_free(&sm->basic_blocks);
  sl_path_warps_free(&sm->warps);
  free(sm->predicted);
  sl_replay_free(sm->replay);
  if (SL_CHECKS)
    sl_simtight_reference_free(sm);
  free(sm);
}

static enum sl_status create(const void *spec, const struct sl_sm_environment *environment, struct sl_sm **sm,
                             struct sl_error *err)
{
  struct sl_simtight_sm *s = sl_lines_of(1, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  s->spec = *(const struct sl_simtight_spec *)spec;
  s->base.machine = &sl_simtight;
  s->environment = *environment;
  s->observed = environment->probes != NULL;
  const struct sl_path_warps_spec threads = sl_simtight_threads(&s->spec);
  const struct sl_lane_ops *ops =
      environment->portable_lanes ? sl_lane_ops_portable(threads.lanes) : sl_lane_ops(threads.lanes);
  enum sl_status code = sl_path_warps_init(&s->warps, &threads, ops, environment->memory, err);
  if (code != SL_OK) {
    free(s);
    return code;
  }
  s->predicted = calloc(threads.code_words, sizeof *s->predicted);
  const bool room = s->predicted != NULL && (!SL_CHECKS || sl_simtight_reference_create(s));
  code = room ? SL_OK : sl_no_memory(err, threads.code_words);
  if (code != SL_OK) {
    destroy(&s->base);
    return code;
  }
  sl_path_blocks_init(&s->basic_blocks, &s->warps, threads.convergence, environment->mode, environment->portable_lanes,
                      environment->probes);
  s->warps.print_word = environment->print_word;
  s->warps.end_program = environment->end_program;
  s->warps.print_context = environment->print_context;
  start_units(s);
  init_compressed(s, !environment->lanewise);
  s->replay = sl_simtight_replay_create(s);
  *sm = &s->base;
  return SL_OK;
}

static void write_instruction(struct sl_sm *handle, uint32_t address, uint64_t word)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  sl_path_warps_write_code(&sm->warps, address, (uint32_t)word);
}

/* The idle barrier unit alternates between two states with every cycle of the SoC, including host CPU cycles between
 * launches. The host here has no cycles, so a key gives the state at launch. */
static enum sl_barrier_state barrier_phase(const struct sl_simtight_sm *sm)
{
  const uint32_t turned = sm->spec.barrier_turned >> sm->s.launches % 32 & 1;
  return (enum sl_barrier_state)(sm->spec.barrier_phase ^ turned);
}

/* Registers, the schedulers' histories and the memory merge's last choice are kept across kernels. */
static void start(struct sl_sm *handle, uint32_t entry, uint32_t closure, uint32_t warps_per_block)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  sl_path_warps_start(&sm->warps, entry, closure);
  start_units(sm);
  if (SL_CHECKS)
    sl_simtight_reference_start(sm);
  sm->s.cycle = 0;
  sm->s.queue = sl_low_bits(sm->spec.warps);
  sm->s.requeue = 0;
  memset(sm->s.pipeline, -1, sizeof sm->s.pipeline);
  sm->s.in_pipeline = 0;
  sm->s.result.lanes = 0;
  if (sm->spec.compressed)
    start_compressed(sm);
  sm->s.resume.full = 0;
  memset(&sm->s.suspension, 0, sizeof sm->s.suspension);
  sl_barrier_start(&sm->s.barrier, sm->spec.warps, warps_per_block, barrier_phase(sm));
  memset(&sm->s.counts, 0, sizeof sm->s.counts);
  memset(sm->s.recent, 0, sizeof sm->s.recent);
  sm->base.slice = (struct sl_time_slice){.warp = SL_NO_TURN};
  sm->s.ended = 0;
  sm->s.success = true;
  sm->base.state = SL_SM_RUNNING;
  sm->s.launches++;
  sl_replay_lose(sm->replay);
  if (sm->observed)
    sl_simtight_account_start(sm, entry);
}

static uint64_t elapsed(const struct sl_sm *handle)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  return sm->warps.s.timing ? (uint64_t)sm->s.cycle : sm->s.counts.instructions;
}

static void set_timing(struct sl_sm *handle, bool timing)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  if (timing && !sm->warps.s.timing && sm->spec.compressed && sm->base.state == SL_SM_RUNNING)
    sl_simtight_pack(sm);
  sm->warps.s.timing = timing;
  sl_replay_lose(sm->replay);
}

static const struct sl_fault *fault(const struct sl_sm *handle)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  return &sm->warps.fault;
}

static bool succeeded(const struct sl_sm *handle)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  return sm->s.success;
}

static const struct sl_series *residency(const struct sl_sm *handle)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  return sm->spec.compressed && sm->warps.s.timing ? &sm->s.registers.series : NULL;
}

static struct sl_warp_status warp_status(const struct sl_sm *handle, unsigned warp)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  const struct sl_paths *paths = &sm->warps.paths[warp];
  const struct sl_path *path = &paths->path[sl_paths_select(paths)];
  const sl_warps bit = sl_bit(warp);
  const enum sl_warp_wait wait = sm->s.ended & bit                                ? SL_WARP_ENDED
                                 : sm->s.barrier.waiting & bit                    ? SL_WARP_AT_BARRIER
                                 : sm->s.suspension.waiting[SL_WAIT_MEMORY] & bit ? SL_WARP_WAITS_FOR_MEMORY
                                 : sm->s.suspension.waiting[SL_WAIT_UNIT] & bit   ? SL_WARP_WAITS_FOR_UNIT
                                                                                  : SL_WARP_RUNS;
  return (struct sl_warp_status){.wait = wait, .pc = path->pc, .active = path->lanes};
}

static unsigned warp_paths(const struct sl_sm *handle, unsigned warp, struct sl_warp_path path[SL_MAX_LANES])
{
  return sl_paths_places(&sl_simtight_of_const(handle)->warps.paths[warp], path);
}

static uint8_t *lane_byte(struct sl_sm *handle, unsigned warp, unsigned lane, uint32_t address)
{
  return sl_path_warps_stack_byte(&sl_simtight_of(handle)->warps, warp, lane, address);
}

static uint32_t stacks_base(const struct sl_simtight_spec *s)
{
  const struct sl_path_warps_spec threads = sl_simtight_threads(s);
  return (uint32_t)(0u - (uint64_t)threads.stack_bytes * threads.lanes * threads.warps);
}

/* Up to the host's stack, or to a configured region below it. */
static uint32_t buffers_end(const struct sl_simtight_spec *s)
{
  const uint32_t host_stack = 0xbff70000 - (1 << 20), stacks = stacks_base(s);
  uint32_t end = host_stack < s->scratchpad_base ? host_stack : s->scratchpad_base;
  if (s->compressed && sl_simtight_spill_base(s) < end)
    end = sl_simtight_spill_base(s);
  return stacks < end ? stacks : end;
}

static struct sl_soc soc(const void *spec)
{
  const struct sl_simtight_spec *s = spec;
  const uint32_t code_end = s->code_base + s->code_words * 4, usual = 0x10000000;
  const uint32_t base = code_end > usual ? code_end : usual;
  return (struct sl_soc){
      .lanes = s->lanes,
      .warps = s->warps,
      .scratchpad_bytes = s->scratchpad_bytes,
      .code_base = s->code_base,
      .code_words = s->code_words,
      .spill_base = sl_simtight_spill_base(s),
      .spill_bytes = s->compressed ? sl_simtight_spill_bytes(s) : 0,
      .isa_sets = sl_simtight_threads(s).isa_sets,
      .host_isa_sets = sl_simtight_threads(s).isa_sets | SL_ISA_HOST,
      .buffers_base = base < buffers_end(s) ? base : buffers_end(s),
      .buffers_end = buffers_end(s),
      .launches = SL_LAUNCH_KERNEL,
  };
}

/* Per cycle each pipeline takes a warp, DRAM a beat, and a bank a word. */
static struct sl_peaks peaks(const void *spec)
{
  const struct sl_simtight_spec *s = spec;
  return (struct sl_peaks){
      .operations = {s->lanes * (s->scalar_pipeline ? 2.0 : 1.0), s->scalar_pipeline ? "2 x lanes: scalar" : "lanes"},
      .dram = {s->dram_beat_bytes, "dram.beat_bytes"},
      .scratchpad = {4.0 * s->scratchpad_banks, "4 x scratchpad.banks"},
      .traffic_role = SL_COUNTER_DRAM_BEATS,
      .traffic_bytes = s->dram_beat_bytes,
  };
}

/* ---- a debugger's registers and pcs ------------------------------------------------------------------------------ */

static uint32_t read_register(const struct sl_sm *handle, unsigned warp, unsigned lane, unsigned reg)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  const struct sl_warp_registers *r = &sm->s.registers.warp[warp];
  if (sm->warps.s.timing && (r->stale >> reg & 1))
    return r->base[reg] + lane * r->stride[reg];
  return sl_path_warps_registers(&sm->warps, warp)[((size_t)reg << sm->warps.lane_bits) + lane];
}

static uint32_t read_pc(const struct sl_sm *handle, unsigned warp, unsigned lane)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  const struct sl_paths *paths = &sm->warps.paths[warp];
  for (unsigned i = 0; i < paths->count; i++)
    if (paths->path[i].lanes & sl_bit(lane))
      return paths->path[i].pc;
  return 0;
}

/* Returns true if no instruction of the warp is in flight: it is in a queue and waits for no result, or execution is
 * functional. */
static bool at_rest(const struct sl_simtight_sm *sm, unsigned warp)
{
  const sl_warps queued = sm->s.queue | sm->s.requeue | sm->s.scalar.queue | sm->s.requeue_scalar;
  return !sm->warps.s.timing || sm->base.state != SL_SM_RUNNING || (queued & ~sm->s.suspension.live) >> warp & 1;
}

static bool write_register(struct sl_sm *handle, unsigned warp, unsigned lane, unsigned reg, uint32_t value)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  if (reg == 0)
    return true;
  if (!at_rest(sm, warp))
    return false;
  /* Without timing the entries are unused. But a kernel that has just started may still run with timing. */
  if (sm->spec.compressed && (sm->warps.s.timing || sm->s.counts.instructions == 0))
    return sl_register_file_set(&sm->s.registers, &sm->warps, warp, lane, reg, value, sm->s.cycle);
  sl_replay_lose(sm->replay);
  sl_path_warps_registers(&sm->warps, warp)[((size_t)reg << sm->warps.lane_bits) + lane] = value;
  return true;
}

static bool write_pc(struct sl_sm *handle, unsigned warp, unsigned lane, uint32_t pc)
{
  struct sl_simtight_sm *sm = sl_simtight_of(handle);
  if (!at_rest(sm, warp))
    return false;
  sl_replay_lose(sm->replay);
  sl_paths_place(&sm->warps.paths[warp], lane, pc);
  return true;
}

/* ---- the machine ------------------------------------------------------------------------------------------------- */

static const struct sl_advice advice[] = {
    {SL_FAULT_UNKNOWN_INSTRUCTION, "Compile for rv32ima_zicsr; floating point needs a machine with fpu=true", 0,
     SL_ISA_FLOAT},
    {SL_FAULT_UNKNOWN_INSTRUCTION, "Compile with simtlab cc --fp: Zfinx fused multiply-add is not supported",
     SL_ISA_SIMT_FPU, 0},
    {SL_FAULT_UNKNOWN_INSTRUCTION, "Votes and shuffles need warp_functions=true", 0, SL_ISA_LANES},
    {SL_FAULT_LANES_APART, "With convergence=depth-pc and sorted-paths, compile with --no-marks", 0, 0},
    {SL_FAULT_ATOMIC, "Or set global_atomics=true", 0, 0},
    {SL_FAULT_SPILL, "Set registers.free_ended=true, or registers.slots higher", 0, 0},
    {SL_FAULT_NONE, NULL, 0, 0},
};

const struct sl_machine sl_simtight = {
    .name = "simtight",
    .summary = "SIMTight streaming multiprocessor (Naylor et al.)",
    .keys = &sl_simtight_keys,
    .spec_size = sizeof(struct sl_simtight_spec),
    .counters = &sl_simtight_counters,
    .stages = &sl_simtight_stages,
    .causes = &sl_simtight_stall_reasons,
    .energy = sl_simtight_energy,
    .profiled = sl_simtight_profiled,
    .check = sl_simtight_check,
    .soc = soc,
    .peaks = peaks,
    .advice = advice,
    .life = {.create = create,
             .destroy = destroy,
             .write_instruction = write_instruction,
             .start = start,
             .set_timing = set_timing,
             .run_cycles = sl_simtight_run_cycles,
             .check_livelock = check_livelock},
    .steps = {.slice = SL_SIMTIGHT_TURN,
              .next = sl_simtight_next,
              .run_warp = sl_simtight_run_warp,
              .none = sl_simtight_none},
    .view = {.elapsed = elapsed,
             .fault = fault,
             .succeeded = succeeded,
             .counter = sl_simtight_counter,
             .residency = residency,
             .warp_status = warp_status,
             .warp_paths = warp_paths,
             .read_register = read_register,
             .read_pc = read_pc,
             .write_register = write_register,
             .write_pc = write_pc,
             .lane_byte = lane_byte},
    .state = {.walk = sl_simtight_walk},
    .sampling = {.progress = SL_COUNTER_WARP_INSTRUCTIONS,
                 .drain = sl_simtight_drain,
                 .population = sl_simtight_population,
                 .issued = sl_simtight_issued},
};
