#include "base/key_rows.h"
#include "machine/cyclotron/cyclotron_core.h"

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
