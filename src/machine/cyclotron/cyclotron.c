#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/keys.h"
#include "base/livelock.h"
#include "func/warp_livelock.h"
#include "machine/cyclotron/cyclotron_core.h"
#include "machine/machine_state.h"

enum { STACK_POINTER = 2, TURN = 64 /* TURN: instructions of a time slice */ };

static void destroy(struct sl_sm *handle)
{
  struct sl_cyclotron_core *core = sl_cyclotron_of(handle);
  if (core == NULL)
    return;
  sl_ipdom_free(&core->warps);
  sl_code_free(&core->code);
  free(core->reads);
  free(core);
}

static void console(void *context, unsigned slot, uint8_t byte)
{
  struct sl_cyclotron_core *core = context;
  sl_vortex_console_put(&core->s.console, slot, byte, core->environment.print_byte, core->environment.print_context);
}

static void exit_code(void *context, uint32_t code)
{
  const struct sl_cyclotron_core *core = context;
  if (core->environment.exit_status != NULL)
    core->environment.exit_status(core->environment.print_context, code);
}

static struct sl_ipdom_spec warps_spec(const struct sl_cyclotron_spec *s)
{
  return (struct sl_ipdom_spec){
      .lanes = s->lanes,
      .warps = s->warps,
      .cores = 1,
      .isa_sets =
          SL_ISA_I | SL_ISA_M | SL_ISA_A | SL_ISA_ZICSR | SL_ISA_ZFINX | SL_ISA_ZICOND | SL_ISA_WARP2 | SL_ISA_WIDE,
      .registers = s->registers,
      .spawns_all_lanes = true,
      .encoding = SL_ENCODING_2,
      .convergence = SL_CONVERGENCE_IPDOM,
      .local_base = s->local_base,
      .local_bytes = s->local_bytes,
      .local_storage_bytes = s->local_bytes,
      .barriers = s->barriers,
      .ipdom_entries = s->ipdom_entries != 0 ? s->ipdom_entries
                       : s->lanes > 1        ? s->lanes - 1
                                             : 1,
      .misaligned = SL_MISALIGNED_BYTES,
  };
}

static enum sl_status create(const void *spec, const struct sl_sm_environment *environment, struct sl_sm **result,
                             struct sl_error *err)
{
  struct sl_cyclotron_core *core = calloc(1, sizeof *core);
  if (core == NULL)
    return sl_no_memory(err, sizeof *core);
  core->spec = *(const struct sl_cyclotron_spec *)spec;
  core->base.machine = &sl_cyclotron;
  core->environment = *environment;
  const struct sl_ipdom_spec warps = warps_spec(&core->spec);
  const bool portable = environment->portable_lanes;
  enum sl_status code = sl_code_init(&core->code, sl_isa(SL_ISA_WIDE64), warps.isa_sets, core->spec.code_base, 0, err);
  core->code.registers = warps.registers;
  if (code == SL_OK)
    code = sl_ipdom_init(&core->warps, &warps, portable ? sl_lane_ops_portable(warps.lanes) : sl_lane_ops(warps.lanes),
                         environment->memory, &core->code, err);
  if (code != SL_OK) {
    destroy(&core->base);
    return code;
  }
  if (portable)
    core->warps.fp = sl_fp_ops_portable();
  core->warps.console = console;
  core->warps.exit_code = exit_code;
  core->warps.io_context = core;
  *result = &core->base;
  return SL_OK;
}

static bool grow_code(struct sl_cyclotron_core *core, uint32_t index)
{
  const uint32_t before = core->code.count;
  if (!sl_code_grow(&core->code, index + 1))
    return false;
  struct sl_cyclotron_reads *reads = realloc(core->reads, core->code.room * sizeof *reads);
  if (reads == NULL)
    return false;
  core->reads = reads;
  memset(reads + before, 0, (core->code.count - before) * sizeof *reads);
  return true;
}

static void write_instruction(struct sl_sm *handle, uint32_t address, uint64_t word)
{
  struct sl_cyclotron_core *core = sl_cyclotron_of(handle);
  const uint32_t index = (address - core->code.base) >> core->code.shift;
  if (address < core->code.base || index >= core->spec.code_bytes >> core->code.shift)
    return;
  if (index >= core->code.count && !grow_code(core, index)) {
    core->code_lost = true;
    return;
  }
  sl_code_write(&core->code, index, word);
  core->reads[index] = sl_cyclotron_reads_of(&core->spec, &core->code.insn[index]);
}

/* Gives every thread its stack. */
static void start(struct sl_sm *handle, uint32_t entry, uint32_t argument, uint32_t warps_per_block)
{
  struct sl_cyclotron_core *core = sl_cyclotron_of(handle);
  const struct sl_cyclotron_spec *s = &core->spec;
  const unsigned launches = core->s.launches + 1;
  (void)warps_per_block;
  core->warps.s.clock = (struct sl_ipdom_clock){0};
  sl_ipdom_start(&core->warps, entry, argument);
  for (unsigned warp = 0; warp < s->warps; warp++)
    for (unsigned lane = 0; lane < s->lanes; lane++)
      sl_ipdom_register(&core->warps, warp, STACK_POINTER)[lane] =
          s->stack_top - s->stack_bytes * sl_ipdom_hart(&core->warps, warp, lane);
  core->s = (struct sl_cyclotron_state){.timing = core->s.timing, .launches = launches, .next = {1}, .latest = {entry}};
  core->base.slice = (struct sl_time_slice){.warp = SL_NO_TURN};
  core->base.state = SL_SM_RUNNING;
  core->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
  if (core->code_lost) {
    core->fault = (struct sl_fault){.kind = SL_FAULT_INTERNAL, .detail = "out of memory for the decoded program"};
    core->base.state = SL_SM_FAULTED;
  }
}

static void set_timing(struct sl_sm *handle, bool timing)
{
  sl_cyclotron_of(handle)->s.timing = timing;
}

static uint64_t elapsed(const struct sl_sm *handle)
{
  const struct sl_cyclotron_core *core = sl_cyclotron_of_const(handle);
  return core->s.timing ? core->s.cycle : core->s.instructions;
}

static const struct sl_fault *fault(const struct sl_sm *handle)
{
  return &sl_cyclotron_of_const(handle)->fault;
}

static bool succeeded(const struct sl_sm *handle)
{
  return sl_cyclotron_of_const(handle)->base.state == SL_SM_DONE;
}

static uint32_t disagreed_at(const struct sl_sm *handle)
{
  return sl_cyclotron_of_const(handle)->warps.s.disagreed_at;
}

static struct sl_warp_status warp_status(const struct sl_sm *handle, unsigned warp)
{
  const struct sl_ipdom_warps *w = &sl_cyclotron_of_const(handle)->warps;
  const enum sl_warp_wait wait = !(w->s.sync.started >> warp & 1)   ? SL_WARP_OFF
                                 : !(w->s.sync.active >> warp & 1)  ? SL_WARP_ENDED
                                 : w->s.sync.at_barrier >> warp & 1 ? SL_WARP_AT_BARRIER
                                                                    : SL_WARP_RUNS;
  return (struct sl_warp_status){.wait = wait, .pc = w->warp[warp].pc, .active = w->warp[warp].mask};
}

static uint32_t read_register(const struct sl_sm *handle, unsigned warp, unsigned lane, unsigned reg)
{
  const struct sl_cyclotron_core *core = sl_cyclotron_of_const(handle);
  return reg < core->spec.registers ? sl_ipdom_register(&core->warps, warp, reg)[lane] : 0;
}

static uint32_t read_pc(const struct sl_sm *handle, unsigned warp, unsigned lane)
{
  (void)lane;
  return sl_cyclotron_of_const(handle)->warps.warp[warp].pc;
}

static bool write_register(struct sl_sm *handle, unsigned warp, unsigned lane, unsigned reg, uint32_t value)
{
  struct sl_cyclotron_core *core = sl_cyclotron_of(handle);
  if (reg != 0 && reg < core->spec.registers)
    sl_ipdom_register(&core->warps, warp, reg)[lane] = value;
  return true;
}

static bool write_pc(struct sl_sm *handle, unsigned warp, unsigned lane, uint32_t pc)
{
  (void)lane;
  sl_cyclotron_of(handle)->warps.warp[warp].pc = pc;
  return true;
}

static void check_livelock(struct sl_sm *handle)
{
  struct sl_cyclotron_core *core = sl_cyclotron_of(handle);
  struct sl_ipdom_warps *w = &core->warps;
  struct sl_fault fault = {.kind = SL_FAULT_NONE};
  struct sl_trial_memory *memory = sl_trial_memory_create();
  const bool all = sl_ipdom_livelock(w, sl_core_sync_free(&w->s.sync), NULL, NULL, memory, &fault);
  sl_trial_memory_free(memory);
  if (!all || fault.kind == SL_FAULT_NONE)
    return;
  fault.cycle = core->s.cycle;
  core->fault = fault;
  core->base.state = SL_SM_FAULTED;
}

static unsigned warp_paths(const struct sl_sm *handle, unsigned warp, struct sl_warp_path path[SL_MAX_LANES])
{
  const struct sl_ipdom_warps *w = &sl_cyclotron_of_const(handle)->warps;
  return w->convergence->places(&w->warp[warp], path);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

enum { LATEST = 1 << 16 /* most cycles until a warp resumes */ };

static SL_SCHEMA(state_schema, struct sl_cyclotron_state, NULL, SL_ANY(timing, launches),
                 SL_IS_LIMIT(SL_LIMIT_NOW, SL_CYCLES_MAX - 1, cycle),
                 SL_ANY(instructions, thread_instructions, register_reads, bank_conflicts, stack_reads, stack_writes),
                 SL_ANY(cause, latest, latest_id), SL_RANGE(0, SL_LIMIT_NOW, LATEST, next),
                 SL_STRUCTS(sl_vortex_console_schema, console));

/* A restored run has no fault. */
static void walk(struct sl_sm *handle, struct sl_archive *archive)
{
  struct sl_cyclotron_core *core = sl_cyclotron_of(handle);
  sl_archive_structs(archive, "core", state_schema, &core->s, 1);
  sl_ipdom_walk(&core->warps, false, archive);
  sl_archive_structs(archive, "head", sl_sm_schema, handle, 1);
  if (sl_archive_reads(archive))
    core->fault = core->warps.fault = (struct sl_fault){.kind = SL_FAULT_NONE};
}

/* ---- machine interface ------------------------------------------------------------------------------------------- */

static struct sl_soc soc(const void *spec)
{
  const struct sl_cyclotron_spec *s = spec;
  const uint32_t code_end = s->code_base + s->code_bytes;
  return (struct sl_soc){
      .lanes = s->lanes,
      .warps = s->warps,
      .isa = SL_ISA_WIDE64,
      .registers = s->registers,
      .isa_sets = warps_spec(s).isa_sets,
      .start = s->code_base,
      .scratchpad_bytes = s->local_bytes,
      .code_base = s->code_base,
      .code_words = s->code_bytes / 4,
      .no_host = true,
      .whole_memory = true,
      .buffers_base = code_end,
      .buffers_end = code_end,
  };
}

/* Memory has no latency and no bandwidth limit. */
static struct sl_peaks peaks(const void *spec)
{
  const struct sl_cyclotron_spec *s = spec;
  return (struct sl_peaks){.operations = {(double)s->warps * s->lanes, "warps x lanes"}, .traffic_role = -1};
}

static unsigned profiled(const void *spec)
{
  (void)spec;
  return 0;
}

static const struct sl_advice advice[] = {
    {SL_FAULT_IPDOM_OVERFLOW, "Set ipdom.entries higher for deeper nesting", 0, 0},
    {SL_FAULT_NONE, NULL, 0, 0},
};

const struct sl_machine sl_cyclotron = {
    .name = "cyclotron",
    .summary = "Cyclotron, the emulator of the 64-bit Vortex ISA (Yan and Anand)",
    .keys = &sl_cyclotron_keys,
    .spec_size = sizeof(struct sl_cyclotron_spec),
    .counters = &sl_cyclotron_counters,
    .stages = &sl_cyclotron_stages,
    .causes = &sl_cyclotron_stall_reasons,
    .energy = sl_cyclotron_energy,
    .profiled = profiled,
    .check = sl_cyclotron_check,
    .soc = soc,
    .peaks = peaks,
    .advice = advice,
    .life = {.create = create,
             .destroy = destroy,
             .write_instruction = write_instruction,
             .start = start,
             .set_timing = set_timing,
             .run_cycles = sl_cyclotron_run_cycles,
             .check_livelock = check_livelock},
    .steps = {.slice = TURN, .next = sl_cyclotron_next, .run_warp = sl_cyclotron_run_warp, .none = sl_cyclotron_none},
    .view = {.elapsed = elapsed,
             .fault = fault,
             .succeeded = succeeded,
             .counter = sl_cyclotron_counter,
             .disagreed_at = disagreed_at,
             .warp_status = warp_status,
             .warp_paths = warp_paths,
             .read_register = read_register,
             .read_pc = read_pc,
             .write_register = write_register,
             .write_pc = write_pc},
    .state = {.walk = walk},
};

/* The paper's counts, and the machine's list of counters. */

#define COUNTER(id, name, unit, role, value, meaning) ID_##id,
#define CAUSE(id, name, kind, meaning) ID_CAUSE_##id,
enum {
#include "machine/cyclotron/cyclotron_counters.def"
  COUNTER_COUNT
};
#undef COUNTER
#undef CAUSE

#define COUNTER(id, name, unit, role, value, meaning) {name, unit, SL_COUNTER_##role, NULL, meaning, -1, NULL},
#define CAUSE(id, name, kind, meaning) {"cycles." name, "cycles", SL_COUNTER_STALL_REASON, name, meaning, -1, NULL},
static const struct sl_counter counters[COUNTER_COUNT] = {
#include "machine/cyclotron/cyclotron_counters.def"
};
#undef COUNTER
#undef CAUSE

const struct sl_counters sl_cyclotron_counters = {counters, COUNTER_COUNT};

const struct sl_energy_source sl_cyclotron_energy[] = {
    {SL_ENERGY_FETCH, "warp_instrs", 1},
    {SL_ENERGY_SCHEDULE, "warp_instrs", 1},
    {SL_ENERGY_REGISTER_READ, "register_reads", 32},
    {SL_ENERGY_LANE_OTHER, "thread_instrs", 1},
    {0},
};

static const struct sl_stall_reason causes[SL_CYCLOTRON_STALL_REASONS] = {
#define CAUSE(id, name, kind, meaning) {name, meaning, SL_STALL_REASON_##kind},
#include "machine/cyclotron/cyclotron_stall_reasons.def"
#undef CAUSE
};

SL_HOLDS(SL_MAX_STALL_REASONS, SL_CYCLOTRON_STALL_REASONS, "stall reasons of a row");

const struct sl_stall_reasons sl_cyclotron_stall_reasons = {causes, SL_CYCLOTRON_STALL_REASONS};

/* clang-format off */
#define COUNTER(id, name, unit, role, value, meaning) case ID_##id: return value;
#define CAUSE(id, name, kind, meaning) case ID_CAUSE_##id: return s->cause[SL_CYCLOTRON_##id];
/* clang-format on */
uint64_t sl_cyclotron_counter(const struct sl_sm *handle, size_t index)
{
  const struct sl_cyclotron_state *s = &sl_cyclotron_of_const(handle)->s;
  switch (index) {
#include "machine/cyclotron/cyclotron_counters.def"
  default: return 0;
  }
}
#undef COUNTER
#undef CAUSE

/* Counts the sources of arithmetic, memory instructions, branches and JALR. The emulator reads those of CSR and
 * warp-control instructions elsewhere and does not count them. Every pair in one bank is a conflict. */
struct sl_cyclotron_reads sl_cyclotron_reads_of(const struct sl_cyclotron_spec *spec, const struct sl_insn *in)
{
  const bool counted = in->kind != SL_KIND_CSR && in->kind != SL_KIND_WARP && in->kind != SL_KIND_VOTE;
  unsigned bank[3], count = 0, conflicts = 0;
  const uint8_t source[3] = {in->rs1, in->rs2, in->rs3};
  const bool reads[3] = {sl_reads_rs1(in), sl_reads_rs2(in), sl_reads_rs3(in)};
  for (unsigned i = 0; i < 3; i++)
    if (counted && reads[i])
      bank[count++] = sl_bank_of((enum sl_bank_map)spec->bank_map, spec->register_banks, spec->registers, source[i]);
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = i + 1; k < count; k++)
      conflicts += bank[i] == bank[k];
  return (struct sl_cyclotron_reads){(uint8_t)count, (uint8_t)conflicts};
}

#define SPEC struct sl_cyclotron_spec
#define SOURCE "published sources (commit 1884350e)"
#define PAPER "Redesigning the Vortex GPU ISA, section "

static const char *const maps[] = {"modulo", "blocks", "folded", NULL};

/* clang-format off */
static const struct sl_key keys[] = {
  NUMBER("lanes", lanes, 1, SL_MAX_LANES, 4, true, "lanes", "Threads of a warp.", SOURCE),
  NUMBER("warps", warps, 1, SL_MAX_WARPS, 4, false, "warps", "Warps.", SOURCE),
  NUMBER("registers", registers, 16, SL_WIDE_REGISTERS, 128, false, "registers",
         "Registers of a thread.", PAPER "3.2"),
  NUMBER("registers.banks", register_banks, 1, SL_BANKS_MAX, 4, false, "banks",
         "Banks of the register file.", PAPER "4"),
  CHOICE("registers.map", bank_map, maps, SL_BANK_MODULO,
         "Bank of a register: its number modulo the banks, blocks of neighbours, or the folded digits of its number.",
         PAPER "4; the other two are ours"),
  NUMBER("code.base", code_base, 8, 0xfffff000u, 0x80000000u, false, "address",
         "Base address of code; the run starts here.", SOURCE),
  NUMBER("code.bytes", code_bytes, 4096, 1u << 28, 1u << 24, true, "bytes",
         "Bytes from code.base that may hold instructions.", "ours"),
  NUMBER("lmem.base", local_base, 0, 0xffffff00u, 0xffff0000u, false, "address",
         "Base address of shared memory.", "ours"),
  NUMBER("lmem.bytes", local_bytes, 1024, 1u << 16, 16384, true, "bytes", "Size of shared memory.", "ours"),
  NUMBER("stack.top", stack_top, 0, 0xfffffff0u, 0xffff0000u, false, "address",
         "Initial stack pointer of thread 0; those of the other threads are below it.", SOURCE),
  NUMBER("stack.bytes", stack_bytes, 16, 1u << 24, 0x100000, true, "bytes", "Stack of a thread.", SOURCE),
  NUMBER("stack.from", stack_from, 0, UINT32_MAX, 0xfe000000u, false, "address",
         "Accesses above this address count as stack accesses.", PAPER "4; " SOURCE),
  NUMBER("barriers", barriers, 1, SL_CORE_SYNC_BARRIERS, 4, true, "barriers",
         "Barriers; the low bits of an id choose one.", "ours"),
  NUMBER("ipdom.entries", ipdom_entries, 0, SL_IPDOM_MAX, 0, false, "entries",
         "Divergent splits of a warp that can nest; 0: lanes - 1, at least one.", "ours"),
  NUMBER("fetch.bubble", fetch_bubble, 0, 60, 1, false, "cycles",
         "Cycles that a warp skips after a taken branch, a jump or warp control.", SOURCE),
  BOOL("return.ends", first_ends, 1,
       "The first jump to address 0 ends the run; else it ends only its warp. Functional execution always ends only "
       "the warp.",
       SOURCE),
};
/* clang-format on */

const struct sl_keys sl_cyclotron_keys = {keys, sizeof keys / sizeof keys[0]};

enum sl_status sl_cyclotron_check(const void *spec, struct sl_error *err)
{
  const struct sl_cyclotron_spec *s = spec;
  if (s->code_base % SL_WIDE_BYTES != 0)
    return sl_fail(err, SL_USAGE, "code.base is not a multiple of %d, the bytes of an instruction", SL_WIDE_BYTES);
  if ((uint64_t)s->lanes * s->warps * s->stack_bytes > s->stack_top)
    return sl_fail(err, SL_USAGE, "%u stacks of %u bytes do not fit below stack.top; set stack.bytes lower",
                   s->lanes * s->warps, s->stack_bytes);
  return SL_OK;
}
