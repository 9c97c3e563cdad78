/* The paper's counts, and the machine's list of counters. */
#include "machine/cyclotron/cyclotron_core.h"

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
  const bool counted = in->kind != SL_KIND_CSR && in->kind != SL_KIND_WARP;
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
