#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/livelock.h"
#include "func/blocks/path_blocks.h"
#include "func/jit/jit.h"
#include "func/warp_livelock.h"
#include "machine/simty/simty_replay.h"
#include "machine/simty/simty_sm.h"

/* ---- functional execution ---------------------------------------------------------------------------------------- */

/* The same instructions on the same paths. It always runs the path with the deepest call and lowest PC, and serves
 * every lane at once. */

/* Executes basic blocks. Returns the number of instructions. */
static uint64_t run_basic_blocks(struct sl_simty_core *sm, unsigned warp, uint64_t instructions)
{
  if (sm->observed)
    sm->basic_blocks.observer.event =
        (struct sl_probe){.launch = sm->s.launches - 1, .warp = warp, .lanes = sm->spec.lanes};
  const struct sl_sorted_blocks_run run =
      sl_sorted_blocks_run(&sm->basic_blocks, &sm->warps, &sm->paths[warp], warp, instructions);
  sm->s.counts.thread_instructions += run.thread_instructions;
  sm->s.counts.executed += run.thread_instructions;
  sm->s.counts.instructions += run.instructions;
  sm->s.counts.pushes_pops += run.stack_uses;
  if (sl_probes_stopped(sm->environment.probes))
    sm->base.state = SL_SM_STOPPED;
  return run.instructions;
}

static uint64_t sl_simty_run_warp(struct sl_sm *handle, struct sl_time_slice *slice, uint64_t most)
{
  const unsigned warp = slice->warp;
  const uint64_t instructions = sl_time_slice_most(slice, most);
  struct sl_simty_core *sm = sl_simty_of(handle);
  struct sl_sorted_paths *paths = &sm->paths[warp];
  const sl_warps bit = sl_bit(warp);
  uint64_t done = 0;
  while (done < instructions && sm->s.done_left > 0 && !((sm->s.ended | sm->s.barrier.waiting) & bit)) {
    if ((!sm->drained || paths->cold_count == 0) && !sm->spec.fairness)
      done += run_basic_blocks(sm, warp, instructions - done);
    if (done == instructions)
      break;
    struct sl_simty_effect effect;
    const unsigned lanes = sl_count(paths->running.lanes);
    if (!sl_simty_execute(sm, warp, true, &effect)) {
      sm->base.state = SL_SM_FAULTED;
      break;
    }
    sm->s.counts.thread_instructions += lanes;
    sm->s.counts.instructions++;
    if (paths->cold_count > 0 && !sm->drained)
      sl_sorted_paths_settle(paths);
    done++;
    if (__builtin_expect(sm->base.state == SL_SM_STOPPED, 0))
      break;
  }
  if ((!SL_CHECKS || sl_simty_conserve(sm)) && sm->base.state != SL_SM_FAULTED && sm->s.done_left == 0)
    sm->base.state = SL_SM_DONE;
  slice->left = done < instructions && sm->base.state != SL_SM_STOPPED ? 0 : slice->left - done;
  return done;
}

static int sl_simty_next(struct sl_sm *handle, unsigned after)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  const sl_warps released = sl_barrier_open(&sm->s.barrier);
  if (sm->observed)
    sl_simty_report_warps(sm, SL_PROBE_RELEASED, released);
  const sl_warps ready = sl_low_bits(sm->spec.warps) & ~(sm->s.ended | sm->s.barrier.waiting);
  const sl_warps later = ready & ~sl_low_bits(after + 1);
  return ready == 0 ? -1 : (int)sl_lowest(later ? later : ready);
}

static void sl_simty_none(struct sl_sm *handle)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  if (sm->s.ended == sl_low_bits(sm->spec.warps))
    sm->base.state = SL_SM_DONE;
  else
    sl_simty_deadlock(sm);
}

/* ---- the machine ------------------------------------------------------------------------------------------------- */

/* Livelock detection for a Simty core, periodically between cycles. */

struct trial {
  struct sl_simty_core *sm;
  unsigned warp;
  bool timing;
};

static bool fetch(void *context, struct sl_execution *ex)
{
  const struct trial *trial = context;
  const struct sl_path_warps *t = &trial->sm->warps;
  const struct sl_ordered_path running = trial->sm->paths[trial->warp].running;
  const uint32_t index = sl_code_index(&t->code, sl_path_pc(running));
  if (index >= t->code.count || running.lanes == 0)
    return false;
  *ex = (struct sl_execution){.insn = &t->code.insn[index], .pc = sl_path_pc(running), .active = running.lanes};
  return true;
}

/* Executes on the machine's own paths: in the sorter's order, or fully sorted in functional execution. */
static bool execute(void *context, struct sl_execution *ex)
{
  const struct trial *trial = context;
  struct sl_sorted_paths *paths = &trial->sm->paths[trial->warp];
  const uint64_t uses = trial->sm->s.counts.pushes_pops;
  const uint32_t left = trial->sm->s.done_left;
  struct sl_simty_effect effect;
  /* A thread that stores its done word makes progress, although no other warp reads the word. */
  if (!sl_simty_execute(trial->sm, trial->warp, true, &effect) || trial->sm->s.done_left != left)
    return false;
  ex->jumped = sl_path_pc(paths->running) <= ex->pc;
  if (paths->cold_count > 0 && !trial->timing)
    sl_sorted_paths_settle(paths);
  else if (paths->cold_count > 0 && trial->sm->spec.sorter && trial->sm->s.counts.pushes_pops == uses)
    sl_sorted_paths_probe(paths);
  return true;
}

/* Addresses of the active lanes without a host, where memory begins at 0. */
static bool addresses(void *context, const struct sl_execution *ex, uint32_t *address)
{
  const struct trial *trial = context;
  const struct sl_path_warps *t = &trial->sm->warps;
  const uint32_t *base = sl_path_warps_registers(t, trial->warp) + ((size_t)ex->insn->rs1 << t->lane_bits);
  for (sl_lanes rest = ex->active; rest; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    address[lane] = base[lane] + ex->insn->imm;
    if (address[lane] >= trial->sm->spec.memory_bytes)
      return false;
  }
  return true;
}

/* Returns true if the warp spins. Restores the state. */
static bool spins(void *core, unsigned warp, struct sl_trial_memory *memory, struct sl_spin *spin)
{
  struct sl_simty_core *sm = core;
  struct sl_path_warps *t = &sm->warps;
  struct trial context = {sm, warp, t->s.timing};
  struct sl_path_step step = {.warps = t,
                              .warp = warp,
                              .context = &context,
                              .fetch = fetch,
                              .execute = execute,
                              .addresses = sm->spec.host ? NULL : addresses};
  struct sl_trial trial = {.memory = memory, .context = &step, .step = sl_path_trial_step};
  sl_trial_add(&trial, &sm->paths[warp], sizeof sm->paths[warp]);
  sl_trial_add(&trial, &t->paths[warp].fair, sizeof t->paths[warp].fair);
  sl_path_trial_add(&trial, t, warp);
  sl_trial_keep(&trial, &sm->s.counts, sizeof sm->s.counts);
  sl_trial_keep(&trial, &sm->s.done_left, sizeof sm->s.done_left);
  sl_trial_keep(&trial, &sm->s.done[warp], sizeof sm->s.done[warp]);
  const bool observed = sm->observed;
  sm->observed = t->s.timing = false;
  const bool result = sl_trial_spins(&trial, spin);
  sm->observed = observed;
  t->s.timing = context.timing;
  return result;
}

static void check_livelock(struct sl_sm *handle)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  struct sl_fault fault = {.kind = SL_FAULT_NONE};
  const sl_warps running = sl_low_bits(sm->spec.warps) & ~sm->s.ended & ~sm->s.barrier.waiting;
  sl_warps done = 0; /* they wait at the end */
  for (unsigned warp = 0; warp < sm->spec.warps; warp++)
    done |= sm->s.done[warp] == sm->warps.all ? sl_bit(warp) : 0;
  if (sl_barrier_opening(&sm->s.barrier) || !sl_path_livelock(&sm->warps, running, done, spins, sm, &fault))
    return;
  fault.cycle = sm->warps.s.timing ? sm->s.cycle : 0;
  sm->warps.fault = fault;
  sm->base.state = SL_SM_FAULTED;
}

static void destroy(struct sl_sm *handle)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  if (sm == NULL)
    return;
  sl_replay_free(sm->replay);
  sl_path_warps_free(&sm->warps);
  free(sm->paths);
  free(sm->classes);
  sl_jit_close(&sm->basic_blocks);
  sl_basic_blocks_free(&sm->basic_blocks);
  if (SL_CHECKS)
    sl_simty_reference_free(sm);
  free(sm);
}

static enum sl_status create(const void *spec, const struct sl_sm_environment *environment, struct sl_sm **sm,
                             struct sl_error *err)
{
  struct sl_simty_core *s = sl_lines_of(1, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  s->spec = *(const struct sl_simty_spec *)spec;
  s->base.machine = &sl_simty;
  s->environment = *environment;
  s->observed = environment->probes != NULL;
  sl_multiplier_events_init(&s->s.multiplier);
  sl_scratchpad_events_init(&s->s.scratchpad);
  const struct sl_path_warps_spec threads = sl_simty_threads(&s->spec);
  const struct sl_lane_ops *ops =
      environment->portable_lanes ? sl_lane_ops_portable(threads.lanes) : sl_lane_ops(threads.lanes);
  enum sl_status code = sl_path_warps_init(&s->warps, &threads, ops, environment->memory, err);
  if (code == SL_OK) {
    s->paths = calloc(threads.warps, sizeof *s->paths);
    s->classes = calloc(threads.code_words, sizeof *s->classes);
    if (s->paths == NULL || s->classes == NULL || (SL_CHECKS && !sl_simty_reference_create(s)))
      code = sl_no_memory(err, threads.code_words);
  }
  if (code != SL_OK) {
    destroy(&s->base);
    return code;
  }
  if (s->spec.host)
    sl_path_blocks_init(&s->basic_blocks, &s->warps, SL_CONVERGENCE_SORTED_PATHS, environment->mode,
                        environment->portable_lanes, environment->probes);
  s->warps.print_word = environment->print_word;
  s->warps.end_program = environment->end_program;
  s->warps.print_context = environment->print_context;
  s->replay = sl_simty_replay_create(s);
  *sm = &s->base;
  return SL_OK;
}

static void write_instruction(struct sl_sm *handle, uint32_t address, uint64_t word)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  const uint32_t index = sl_code_index(&sm->warps.code, address);
  sl_path_warps_write_code(&sm->warps, address, (uint32_t)word);
  if (index < sm->warps.code.count)
    sm->classes[index] = sl_simty_classify(&sm->warps.code.insn[index]);
}

/* Starts all warps with all lanes at the entry, depth 0. Registers are 0; in hardware they are undefined after reset.
 * With a host they are kept across kernels. */
static void start(struct sl_sm *handle, uint32_t entry, uint32_t closure, uint32_t warps_per_block)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  const struct sl_simty_spec *spec = &sm->spec;
  struct sl_path_warps *t = &sm->warps;
  sl_path_warps_start(t, entry, closure);
  sl_replay_lose(sm->replay);
  if (!spec->host)
    memset(t->x, 0, spec->warps * t->warp_words * sizeof *t->x);
  for (unsigned w = 0; w < spec->warps; w++)
    sl_sorted_paths_start(&sm->paths[w], t->all, entry);
  sl_fetch_start(&sm->s.fetch, spec->warps, sm->warps.code.word_bytes, entry);
  sl_load_fifo_start(&sm->s.loads);
  sl_simty_start_units(sm, warps_per_block);
  sm->s.dram = (struct sl_simty_dram){0};
  sl_dram_init(&sm->s.dram.dram, spec->dram_latency, spec->dram_outstanding);
  memset(sm->s.ring, 0, sizeof sm->s.ring);
  memset(sm->s.alu_writes, 0, sizeof sm->s.alu_writes);
  memset(&sm->s.counts, 0, sizeof sm->s.counts);
  memset(sm->s.done, 0, sizeof sm->s.done);
  sm->s.cycle = 0;
  sm->s.busy = sm->s.waits_for_memory = 0;
  sm->s.blocked = 0;
  sm->s.done_left = spec->warps * spec->lanes;
  sm->s.ended = 0;
  sm->s.success = true;
  sm->base.slice = (struct sl_time_slice){.warp = SL_NO_TURN};
  sm->base.state = SL_SM_RUNNING;
  sm->drained = false;
  sm->s.launches++;
  if (sm->observed)
    sl_simty_account_start(sm, entry);
}

static uint64_t elapsed(const struct sl_sm *handle)
{
  const struct sl_simty_core *sm = sl_simty_of_const(handle);
  return sm->warps.s.timing ? sm->s.cycle : sm->s.counts.instructions;
}

static void set_timing(struct sl_sm *handle, bool timing)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  if (timing && !sm->warps.s.timing && sm->base.state == SL_SM_RUNNING)
    sl_simty_refill(sm);
  sm->warps.s.timing = timing;
  sl_replay_lose(sm->replay);
}

static const struct sl_fault *fault(const struct sl_sm *handle)
{
  const struct sl_simty_core *sm = sl_simty_of_const(handle);
  return &sm->warps.fault;
}

static bool succeeded(const struct sl_sm *handle)
{
  const struct sl_simty_core *sm = sl_simty_of_const(handle);
  return sm->s.success;
}

static struct sl_warp_status warp_status(const struct sl_sm *handle, unsigned warp)
{
  const struct sl_simty_core *sm = sl_simty_of_const(handle);
  const struct sl_ordered_path *path = &sm->paths[warp].running;
  const sl_warps bit = sl_bit(warp);
  const enum sl_warp_wait wait = sm->s.ended & bit              ? SL_WARP_ENDED
                                 : sm->s.barrier.waiting & bit  ? SL_WARP_AT_BARRIER
                                 : sm->s.waits_for_memory & bit ? SL_WARP_WAITS_FOR_MEMORY
                                 : sm->s.busy & bit             ? SL_WARP_WAITS_FOR_UNIT
                                                                : SL_WARP_RUNS;
  return (struct sl_warp_status){.wait = wait, .pc = sl_path_pc(*path), .active = path->lanes};
}

static unsigned warp_paths(const struct sl_sm *handle, unsigned warp, struct sl_warp_path path[SL_MAX_LANES])
{
  return sl_sorted_paths_places(&sl_simty_of_const(handle)->paths[warp], path);
}

static struct sl_soc soc(const void *spec)
{
  const struct sl_simty_spec *s = spec;
  if (s->host) {
    const struct sl_simtight_spec simtight = sl_simty_soc(s);
    return sl_simtight.soc(&simtight);
  }
  return (struct sl_soc){
      .lanes = s->lanes,
      .warps = s->warps,
      .isa_sets = sl_simty_threads(s).isa_sets,
      .code_words = s->memory_bytes / 4,
      .no_host = true,
  };
}

/* Per cycle one warp and one beat; memory of fixed latency accepts a request as wide as the warp. */
static struct sl_peaks peaks(const void *spec)
{
  const struct sl_simty_spec *s = spec;
  struct sl_peaks p = {
      .operations = {s->lanes, "lanes"},
      .dram = {4.0 * s->lanes, "4 x lanes"},
      .traffic_role = SL_COUNTER_TRANSACTIONS,
      .traffic_bytes = 4 * s->lanes,
  };
  if (s->dram) {
    p.dram = (struct sl_peak){s->dram_beat_bytes, "dram.beat_bytes"};
    p.traffic_role = SL_COUNTER_DRAM_BEATS;
    p.traffic_bytes = s->dram_beat_bytes;
  }
  if (s->host)
    p.scratchpad = (struct sl_peak){4.0 * s->scratchpad_banks, "4 x scratchpad.banks"};
  return p;
}

static uint8_t *lane_byte(struct sl_sm *handle, unsigned warp, unsigned lane, uint32_t address)
{
  return sl_path_warps_stack_byte(&sl_simty_of(handle)->warps, warp, lane, address);
}

static uint32_t read_register(const struct sl_sm *handle, unsigned warp, unsigned lane, unsigned reg)
{
  const struct sl_simty_core *sm = sl_simty_of_const(handle);
  return sl_path_warps_registers(&sm->warps, warp)[((size_t)reg << sm->warps.lane_bits) + lane];
}

static uint32_t read_pc(const struct sl_sm *handle, unsigned warp, unsigned lane)
{
  const struct sl_simty_core *sm = sl_simty_of_const(handle);
  return sl_path_pc(sl_sorted_paths_of(&sm->paths[warp], lane));
}

/* Values are in place once an instruction has executed. */
static bool write_register(struct sl_sm *handle, unsigned warp, unsigned lane, unsigned reg, uint32_t value)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  sl_replay_lose(sm->replay);
  if (reg != 0)
    sl_path_warps_registers(&sm->warps, warp)[((size_t)reg << sm->warps.lane_bits) + lane] = value;
  return true;
}

/* An instruction belongs to the path with its PC until its paths have been sorted. */
static bool write_pc(struct sl_sm *handle, unsigned warp, unsigned lane, uint32_t pc)
{
  struct sl_simty_core *sm = sl_simty_of(handle);
  for (uint64_t t = 0; t <= SL_SIMTY_SORTED && t < sm->s.cycle; t++) {
    const struct sl_simty_issue *i = &sm->s.ring[(sm->s.cycle - t) % SL_SIMTY_RING];
    if (sm->warps.s.timing && i->valid && i->word.warp == warp)
      return false;
  }
  sl_replay_lose(sm->replay);
  sl_sorted_paths_place(&sm->paths[warp], lane, pc);
  sl_fetch_redirect(&sm->s.fetch, warp, sl_path_pc(sm->paths[warp].running), true);
  return true;
}

static const struct sl_advice advice[] = {
    {SL_FAULT_UNKNOWN_INSTRUCTION, "Compile for rv32ima_zicsr; floating point needs a machine with fpu=true", 0,
     SL_ISA_FLOAT},
    {SL_FAULT_UNKNOWN_INSTRUCTION, "Compile with simtlab cc --fp: Zfinx fused multiply-add is not supported",
     SL_ISA_SIMT_FPU, 0},
    {SL_FAULT_UNKNOWN_INSTRUCTION, "Votes and shuffles need warp_functions=true", 0, SL_ISA_LANES},
    {SL_FAULT_ATOMIC, "Or set global_atomics=true", 0, 0},
    {SL_FAULT_OUTSIDE, "Check the pointer, or set memory.bytes higher", 0, 0},
    {SL_FAULT_NONE, NULL, 0, 0},
};

const struct sl_machine sl_simty = {
    .name = "simty",
    .summary = "Simty core (Collange)",
    .keys = &sl_simty_keys,
    .spec_size = sizeof(struct sl_simty_spec),
    .counters = &sl_simty_counters,
    .stages = &sl_simty_stages,
    .causes = &sl_simty_stall_reasons,
    .energy = sl_simty_energy,
    .profiled = sl_simty_profiled,
    .check = sl_simty_check,
    .soc = soc,
    .peaks = peaks,
    .advice = advice,
    .life = {.create = create,
             .destroy = destroy,
             .write_instruction = write_instruction,
             .start = start,
             .set_timing = set_timing,
             .run_cycles = sl_simty_run_cycles,
             .check_livelock = check_livelock},
    .steps = {.slice = SL_SIMTY_TURN, .next = sl_simty_next, .run_warp = sl_simty_run_warp, .none = sl_simty_none},
    .view = {.elapsed = elapsed,
             .fault = fault,
             .succeeded = succeeded,
             .counter = sl_simty_counter,
             .warp_status = warp_status,
             .warp_paths = warp_paths,
             .read_register = read_register,
             .read_pc = read_pc,
             .write_register = write_register,
             .write_pc = write_pc,
             .lane_byte = lane_byte},
    .state = {.walk = sl_simty_walk},
    .sampling = {.progress = SL_COUNTER_THREAD_INSTRUCTIONS, /* timing counts passes of warps, so the number of warp
                                                           instructions differs */
                 .drain = sl_simty_drain,
                 .population = sl_simty_population,
                 .issued = sl_simty_issued},
};
