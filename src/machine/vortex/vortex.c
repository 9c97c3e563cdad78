#include "machine/machine.h"

#include "base/arrays.h"
#include "base/livelock.h"

#include <stdlib.h>
#include <string.h>

#include "func/ipdom_execute.h"
#include "func/jit/jit.h"
#include "machine/vortex/core/vortex_execute.h"
#include "machine/vortex/core/vortex_stages.h"
#include "machine/vortex/vortex_gpu.h"

/* Arguments are below the program. */
enum { ARGUMENT_BYTES = 0x10000 };

static void destroy(struct sl_sm *handle)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  if (sm == NULL)
    return;
  for (unsigned c = 0; sm->core != NULL && c < sm->spec.cores; c++)
    sl_ipdom_free(&sm->core[c].warps);
  sl_vortex_timed_free(sm);
  free(sm->core);
  free(sm->view);
  free(sm->facts);
  sl_jit_close(&sm->basic_blocks);
  sl_basic_blocks_free(&sm->basic_blocks);
  sl_code_free(&sm->code);
  free(sm);
}

static void console(void *context, unsigned slot, uint8_t byte)
{
  struct sl_vortex_gpu *sm = context;
  sl_vortex_console_put(&sm->s.console, slot, byte, sm->environment.print_byte, sm->environment.print_context);
}

static void exit_code(void *context, uint32_t code)
{
  const struct sl_vortex_gpu *sm = context;
  if (sm->environment.exit_status != NULL)
    sm->environment.exit_status(sm->environment.print_context, code);
}

static unsigned ipdom_entries(const struct sl_vortex_spec *s)
{
  if (s->ipdom_entries != 0)
    return s->ipdom_entries;
  return s->encoding == SL_ENCODING_2 ? s->lanes - 1 : 2 * s->lanes;
}

/* The code region is empty until code is written. */
static struct sl_ipdom_spec core_spec(const struct sl_vortex_spec *s, unsigned core)
{
  const unsigned own = s->isa == SL_ISA_RV32 ? SL_ISA_F : SL_ISA_ZFINX | SL_ISA_WIDE;
  return (struct sl_ipdom_spec){
      .lanes = s->lanes,
      .warps = s->warps,
      .core = core,
      .cores = s->cores,
      .isa_sets = SL_ISA_I | SL_ISA_M | SL_ISA_ZICSR | own | SL_ISA_ZICOND | (s->atomics ? SL_ISA_A : 0u) |
                  (s->encoding == SL_ENCODING_2 ? SL_ISA_WARP2 : SL_ISA_WARP1),
      .registers = s->isa == SL_ISA_RV32 ? 0 : s->registers,
      .encoding = (enum sl_ipdom_encoding)s->encoding,
      .convergence = s->scs_stack != 0 ? SL_CONVERGENCE_SCS_SPLITS : sl_vortex_scheme(s),
      .smaller_first = s->split_first != 0,
      .pool = !sl_vortex_parts(s) || !s->its_yield ? 0
              : s->scs_pool != 0                   ? s->scs_pool
                                                   : s->lanes,
      .loops_nest = s->scs_pending != 0,
      .pop_delay = s->scs_pop_delay,
      .watchdog = s->scs_watchdog,
      .lane_barriers = s->its_barriers,
      .unguarded = s->scs_hazard != 0,
      .local_base = s->local_base,
      .local_bytes = s->local_bytes,
      .local_storage_bytes = s->local_aliased ? s->local_aliased : s->local_bytes,
      .barriers = sl_vortex_barriers(s),
      .ipdom_entries = ipdom_entries(s),
      .negate_ignored = !s->split_negate,
      .divergent_branch_faults = s->divergent_branch_faults,
      .misaligned = (enum sl_misaligned)s->misaligned,
  };
}

static enum sl_status create_core(struct sl_vortex_gpu *sm, unsigned core, struct sl_error *err)
{
  const struct sl_ipdom_spec spec = core_spec(&sm->spec, core);
  const struct sl_lane_ops *ops =
      sm->environment.portable_lanes ? sl_lane_ops_portable(spec.lanes) : sl_lane_ops(spec.lanes);
  struct sl_ipdom_warps *w = &sm->core[core].warps;
  enum sl_status code = sl_ipdom_init(w, &spec, ops, sm->environment.memory, &sm->code, err);
  if (code == SL_OK)
    code = sl_vortex_extend(w, &sm->spec, err);
  if (sm->environment.portable_lanes)
    w->fp = sl_fp_ops_portable();
  w->console = console;
  w->exit_code = exit_code;
  w->io_context = sm;
  return code;
}

/* Connects the pipelines' observers, and the source of the performance counters that programs read. */
static void connect(struct sl_vortex_gpu *sm)
{
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    sm->view[c] = (struct sl_vortex_view){sm, c};
    sm->core[c].warps.performance = sl_vortex_performance;
    sm->core[c].warps.performance_context = &sm->view[c];
  }
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    struct sl_vortex_pipeline *p = &sm->timed.pipeline[c];
    p->tell = sm->observed ? sl_vortex_report : NULL;
    p->observer = sm;
    p->recorder = sm->observed && sm->environment.probes->records != NULL ? sm->environment.probes : NULL;
    p->launches = &sm->s.launches;
    p->tells_queues = sl_probes_want(sm->environment.probes, SL_PROBE_QUEUED);
    p->watched = sl_probes_want(sm->environment.probes, SL_VORTEX_WATCHED) || sm->spec.performance_class == 1;
  }
}

static enum sl_status create(const void *spec, const struct sl_sm_environment *environment, struct sl_sm **result,
                             struct sl_error *err)
{
  struct sl_vortex_gpu *sm = calloc(1, sizeof *sm);
  if (sm == NULL)
    return sl_no_memory(err, sizeof *sm);
  sm->spec = *(const struct sl_vortex_spec *)spec;
  sm->spec.warps = sl_vortex_warps(spec);
  sm->base.machine = &sl_vortex;
  sm->environment = *environment;
  sm->observed = environment->probes != NULL;
  sm->core = sl_lines_of(sm->spec.cores, sizeof *sm->core);
  sm->view = calloc(sm->spec.cores, sizeof *sm->view);
  enum sl_status code =
      sm->core != NULL && sm->view != NULL ? SL_OK : sl_no_memory(err, sm->spec.cores * sizeof *sm->core);
  if (code == SL_OK)
    code = sl_code_init(&sm->code, sl_isa(sm->spec.isa), core_spec(&sm->spec, 0).isa_sets, sm->spec.code_base, 0, err);
  sm->code.registers = core_spec(&sm->spec, 0).registers;
  for (unsigned c = 0; c < sm->spec.cores && code == SL_OK; c++)
    code = create_core(sm, c, err);
  if (code == SL_OK)
    code = sl_vortex_timed_init(sm, err);
  if (code != SL_OK) {
    destroy(&sm->base);
    return code;
  }
  sl_ipdom_blocks_init(&sm->basic_blocks, &sm->core[0].warps, environment->mode, environment->portable_lanes,
                       environment->probes);
  connect(sm);
  *result = &sm->base;
  return SL_OK;
}

/* Makes room for words of code up to number `index`, with the facts of each. */
static bool grow_code(struct sl_vortex_gpu *sm, uint32_t index)
{
  const uint32_t before = sm->code.count;
  if (!sl_code_grow(&sm->code, index + 1))
    return false;
  struct sl_vortex_facts *facts = realloc(sm->facts, sm->code.room * sizeof *facts);
  if (facts == NULL)
    return false;
  sm->facts = facts;
  for (unsigned c = 0; c < sm->spec.cores; c++)
    sm->timed.pipeline[c].facts = facts;
  for (uint32_t i = before; i < sm->code.count; i++)
    facts[i] = sl_vortex_facts_of(&sm->spec, &sm->code.insn[i]);
  return true;
}

static void write_instruction(struct sl_sm *handle, uint32_t address, uint64_t word)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  const uint32_t index = (address - sm->code.base) >> sm->code.shift;
  if (address < sm->code.base || index >= sm->spec.code_bytes >> sm->code.shift)
    return;
  if (index >= sm->code.count && !grow_code(sm, index)) {
    sm->code_lost = true;
    return;
  }
  sl_code_write(&sm->code, index, word);
  sm->code_edition++;
  sm->facts[index] = sl_vortex_facts_of(&sm->spec, &sm->code.insn[index]);
}

/* In every core, warp 0 begins with lane 0. */
static void start(struct sl_sm *handle, uint32_t entry, uint32_t argument, uint32_t warps_per_block)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  (void)warps_per_block;
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    struct sl_vortex_core *core = &sm->core[c];
    core->warps.s.clock.cycle = core->warps.s.clock.thread_instructions = 0;
    sl_ipdom_start(&core->warps, entry, argument);
    core->warps.s.performance_class = sm->spec.performance_class;
    core->warps.s.span = (struct sl_kernel_span){0};
    for (unsigned i = 0; i < core->warps.extensions; i++)
      core->warps.extension[i].kind->start(core->warps.extension[i].state);
  }
  sl_vortex_timed_start(sm);
  memset(&sm->s.console, 0, sizeof sm->s.console);
  sm->s.cycle = sm->s.instructions = 0;
  sm->s.in_kernel = sm->warms = false;
  sm->base.slice = (struct sl_time_slice){.warp = SL_NO_TURN};
  sm->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
  sm->base.state = SL_SM_RUNNING;
  sm->s.launches++;
  if (sm->code_lost) {
    sm->fault = (struct sl_fault){.kind = SL_FAULT_INTERNAL, .detail = "out of memory for the decoded program"};
    sm->base.state = SL_SM_FAULTED;
  }
}

static void set_timing(struct sl_sm *handle, bool timing)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  sl_vortex_switch(sm, timing);
  sm->s.timing = timing;
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    for (unsigned i = 0; i < sm->core[c].warps.extensions; i++) {
      const struct sl_extension *e = &sm->core[c].warps.extension[i];
      if (e->kind->set_timed != NULL)
        e->kind->set_timed(e->state, timing);
    }
    sm->core[c].warps.log = timing ? sm->timed.log[c] : NULL;
  }
}

static void run_cycles(struct sl_sm *handle, uint64_t cycles)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  const uint32_t environment = sl_fp_enter();
  const enum sl_sm_state state = sl_vortex_run_timed(sm, cycles);
  if (SL_CHECKS && state == SL_SM_DONE)
    sl_vortex_conserve(sm);
  sl_fp_leave(environment);
}

static uint64_t elapsed(const struct sl_sm *handle)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  return sm->s.timing ? sm->s.cycle : sm->s.instructions;
}

static const struct sl_fault *fault(const struct sl_sm *handle)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  return &sm->fault;
}

/* The exit status tells whether it succeeded. */
static bool succeeded(const struct sl_sm *handle)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  return sm->base.state == SL_SM_DONE;
}

static enum sl_warp_wait wait_of(const struct sl_vortex_gpu *sm, unsigned core, unsigned warp)
{
  const struct sl_core_sync *sync = &sm->core[core].warps.s.sync;
  const sl_warps bit = sl_bit(warp);
  const bool loads = sm->s.timing && sl_scoreboard_any(&sm->timed.pipeline[core].s.scoreboard, SL_AWAITED_LOAD, warp);
  return !(sync->started & bit)   ? SL_WARP_OFF
         : !(sync->active & bit)  ? SL_WARP_ENDED
         : sync->asking & bit     ? SL_WARP_WAITS_FOR_WARPS
         : sync->at_barrier & bit ? SL_WARP_AT_BARRIER
         : loads                  ? SL_WARP_WAITS_FOR_MEMORY
                                  : SL_WARP_RUNS;
}

static struct sl_warp_status warp_status(const struct sl_sm *handle, unsigned number)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  const unsigned core = number / sm->spec.warps, warp = number % sm->spec.warps;
  const struct sl_ipdom_warp *w = &sm->core[core].warps.warp[warp];
  return (struct sl_warp_status){.wait = wait_of(sm, core, warp), .pc = w->pc, .active = w->mask};
}

/* Stacks of the published runtime: 8 KiB per thread below 0xffff0000. */
static uint32_t stacks_base(const struct sl_vortex_spec *s)
{
  const uint64_t bytes = (uint64_t)s->cores * sl_vortex_warps(s) * s->lanes << 13;
  return bytes < 0xffff0000 ? 0xffff0000 - (uint32_t)bytes : 0;
}

static struct sl_soc soc(const void *spec)
{
  const struct sl_vortex_spec *s = spec;
  const uint64_t code_end = (uint64_t)s->code_base + s->code_bytes;
  const uint32_t end = stacks_base(s) < s->local_base ? stacks_base(s) : s->local_base;
  return (struct sl_soc){
      .lanes = s->lanes,
      .warps = sl_vortex_warps(s),
      .cores = s->cores,
      .lanes_switch = sl_vortex_parts(s),
      .isa = s->isa,
      .registers = s->registers,
      .isa_sets = core_spec(s, 0).isa_sets,
      .scratchpad_bytes = s->local_aliased ? s->local_aliased : s->local_bytes,
      .code_base = s->code_base,
      .code_words = s->code_bytes / 4,
      .no_host = true,
      .whole_memory = true,
      .memory_fill = s->memory_fill,
      .buffers_base = code_end < end ? (uint32_t)code_end : end,
      .buffers_end = end,
      .launches = SL_LAUNCH_PROGRAM,
      .arguments = s->code_base >= 2 * ARGUMENT_BYTES ? s->code_base - ARGUMENT_BYTES : 0,
  };
}

/* The front end of each core schedules one warp per cycle, for any number of slices; each bank of its local memory
 * serves one word. */
static struct sl_peaks peaks(const void *spec)
{
  const struct sl_vortex_spec *s = spec;
  const double cores = s->cores, banks = s->lmem_banks > 0 ? s->lmem_banks : s->lanes;
  return (struct sl_peaks){
      .operations = {cores * s->lanes, "cores x lanes"},
      .dram = {sl_vortex_dram_peak(s), "dram, dram.front"},
      .scratchpad = {cores * 4 * banks, "cores x 4 x lmem.banks"},
      .traffic_role = SL_COUNTER_DRAM_LINES,
      .traffic_bytes = SL_LINE_BYTES,
  };
}

static uint32_t read_register(const struct sl_sm *handle, unsigned warp, unsigned lane, unsigned reg)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  return sl_ipdom_register(&sm->core[warp / sm->spec.warps].warps, warp % sm->spec.warps, reg)[lane];
}

/* Local memory is a core's. */
static uint8_t *lane_byte(struct sl_sm *handle, unsigned warp, unsigned lane, uint32_t address)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  const struct sl_ipdom_warps *w = &sm->core[warp / sm->spec.warps].warps;
  const uint32_t offset = address - w->spec.local_base;
  (void)lane;
  return offset < w->spec.local_bytes ? w->local + (offset & (w->spec.local_storage_bytes - 1)) : NULL;
}

/* Lanes that wait to reconverge have the warp's pc. */
static uint32_t read_pc(const struct sl_sm *handle, unsigned warp, unsigned lane)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  const uint32_t pc = sm->core[warp / sm->spec.warps].warps.warp[warp % sm->spec.warps].pc;
  struct sl_warp_path path[SL_MAX_LANES];
  if (!sl_vortex_parts(&sm->spec))
    return pc;
  for (unsigned i = sl_vortex_warp_paths(handle, warp, path); i-- > 0;)
    if ((path[i].lanes >> lane & 1) && path[i].pc != 0)
      return path[i].pc;
  return pc;
}

/* Of the first core that has such a place. */
static uint32_t disagreed_at(const struct sl_sm *handle)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  for (unsigned c = 0; c < sm->spec.cores; c++)
    if (sm->core[c].warps.s.disagreed_at != 0)
      return sm->core[c].warps.s.disagreed_at;
  return 0;
}

/* Values are in place as soon as an instruction has executed. */
static bool write_register(struct sl_sm *handle, unsigned warp, unsigned lane, unsigned reg, uint32_t value)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  if (reg != 0)
    sl_ipdom_register(&sm->core[warp / sm->spec.warps].warps, warp % sm->spec.warps, reg)[lane] = value;
  return true;
}

/* All instructions of a warp in flight have executed. */
static bool all_executed(const struct sl_vortex_pipeline *p, unsigned warp)
{
  for (uint32_t i = 0; i < p->op_count; i++)
    if (p->op[i].holds > 0 && p->op[i].warp == warp && !p->op[i].executed)
      return false;
  return true;
}

static bool write_pc(struct sl_sm *handle, unsigned warp, unsigned lane, uint32_t pc)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  const unsigned core = warp / sm->spec.warps, own = warp % sm->spec.warps;
  const struct sl_vortex_pipeline *p = &sm->timed.pipeline[core];
  (void)lane;
  if (sm->s.timing && !all_executed(p, own))
    return false;
  sm->core[core].warps.warp[own].pc = pc;
  return true;
}

static const struct sl_advice advice[] = {
    {SL_FAULT_IPDOM_OVERFLOW, "Set ipdom.entries higher if they should", 0, 0},
    {SL_FAULT_DIVERGENT_BRANCH,
     "simtlab cc warns of it: with marks by hand mark it by SIMT_IF, SIMT_WHILE or vx_split and vx_join, or let the "
     "compiler do so (--marks=auto); write what it has made a branch of as an if statement; with "
     "divergent_branch.faults=false the last active lane decides",
     0, 0},
    {SL_FAULT_NONE, NULL, 0, 0},
};

const struct sl_machine sl_vortex = {
    .name = "vortex",
    .summary = "Vortex GPU (Tine et al.)",
    .keys = &sl_vortex_keys,
    .spec_size = sizeof(struct sl_vortex_spec),
    .counters = &sl_vortex_counters,
    .stages = &sl_vortex_stages,
    .causes = &sl_vortex_stall_reasons,
    .energy = sl_vortex_energy,
    .profiled = sl_vortex_profiled,
    .check = sl_vortex_check,
    .soc = soc,
    .peaks = peaks,
    .advice = advice,
    .life = {.create = create,
             .destroy = destroy,
             .write_instruction = write_instruction,
             .start = start,
             .set_timing = set_timing,
             .run_cycles = run_cycles,
             .watch_kernels = sl_vortex_watch,
             .check_livelock = sl_vortex_check_livelock},
    .steps = {.slice = SL_VORTEX_TURN, .next = sl_vortex_next, .run_warp = sl_vortex_run_warp, .none = sl_vortex_none},
    .view = {.elapsed = elapsed,
             .fault = fault,
             .succeeded = succeeded,
             .counter = sl_vortex_counter,
             .disagreed_at = disagreed_at,
             .warp_status = warp_status,
             .warp_paths = sl_vortex_warp_paths,
             .fetches_ahead = true,
             .read_register = read_register,
             .read_pc = read_pc,
             .write_register = write_register,
             .write_pc = write_pc,
             .lane_byte = lane_byte},
    .state = {.walk = sl_vortex_walk},
    .sampling = {.refuses = sl_vortex_refuses_sampling,
                 .progress = SL_COUNTER_WARP_INSTRUCTIONS,
                 .drain = sl_vortex_drain,
                 .warm = sl_vortex_warm_caches,
                 .population = sl_vortex_population,
                 .issued = sl_vortex_issued},
};
