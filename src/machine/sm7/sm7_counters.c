/* The machine's list of counters, and its stall reasons. */
#include "machine/sm7/core/sm7_events.h"
#include "machine/sm7/sm7.h"

#define COUNTER(id, name, unit, role, value, meaning) ID_##id,
#define CAUSE(id, name, kind, meaning) ID_CAUSE_##id,
enum {
#include "machine/sm7/sm7_counters.def"
  COUNTER_COUNT
};
#undef COUNTER
#undef CAUSE

/* The counters that RISC-V host programs can read, by the numbers of runtime/simt.h. */
#define HOST_NUMBER(id) (ID_##id == ID_CYCLES ? 0 : ID_##id == ID_THREAD_INSTRUCTIONS ? 1 : -1)
#define COUNTER(id, name, unit, role, value, meaning)                                                                  \
  {name, unit, SL_COUNTER_##role, NULL, meaning, HOST_NUMBER(id), NULL},
#define CAUSE(id, name, kind, meaning) {"slots." name, "slots", SL_COUNTER_STALL_REASON, name, meaning, -1, NULL},
static const struct sl_counter counters[COUNTER_COUNT] = {
#include "machine/sm7/sm7_counters.def"
};
#undef COUNTER
#undef CAUSE

const struct sl_counters sl_sm7_counters = {counters, COUNTER_COUNT};

const struct sl_energy_source sl_sm7_energy[] = {
    {SL_ENERGY_FETCH, "warp_instrs", 1},
    {SL_ENERGY_SCHEDULE, "warp_instrs", 1},
    {SL_ENERGY_REGISTER_READ, "registers.read", 1},
    {SL_ENERGY_REGISTER_NARROW, "registers.narrow", 1},
    {SL_ENERGY_REGISTER_WRITE, "registers.written", 1},
    {SL_ENERGY_LANE_INTEGER, "lanes.integer", 1},
    {SL_ENERGY_LANE_MULTIPLY, "lanes.multiply", 1},
    {SL_ENERGY_LANE_FLOAT, "lanes.float", 1},
    {SL_ENERGY_LANE_FUSED, "lanes.fused", 1},
    {SL_ENERGY_LANE_DOUBLE, "lanes.double", 1},
    {SL_ENERGY_LANE_SPECIAL, "lanes.special", 1},
    {SL_ENERGY_LANE_MEMORY, "lanes.memory", 1},
    {SL_ENERGY_LANE_OTHER, "lanes.other", 1},
    {SL_ENERGY_LINEAR_SUM, "linear.sums", 1},
    {SL_ENERGY_SHARED, "shared.cycles", 1},
    {SL_ENERGY_L1, "l1.accesses", 1},
    {SL_ENERGY_L2, "l2.accesses", 1},
    {SL_ENERGY_CROSSBAR, "l2.accesses", 1},
    {0},
};

static const struct sl_stall_reason causes[SL_SM7_STALL_REASONS] = {
#define CAUSE(id, name, kind, meaning) {name, meaning, SL_STALL_REASON_##kind},
#include "machine/sm7/sm7_stall_reasons.def"
#undef CAUSE
};

SL_HOLDS(SL_MAX_COUNTERS, COUNTER_COUNT, "counters of a launch");
SL_HOLDS(SL_MAX_STALL_REASONS, SL_SM7_STALL_REASONS, "stall reasons of a row's cycles");

const struct sl_stall_reasons sl_sm7_stall_reasons = {causes, SL_SM7_STALL_REASONS};

static const struct sl_stage stages[SL_SM7_STAGES] = {
    [SL_SM7_STAGE_BUFFER] = {"buffer", "the instruction is in its warp's instruction buffer", SL_PROBE_FETCHED},
    [SL_SM7_STAGE_ISSUE] = {"issue", "it has been issued and waits for an operand collector", SL_PROBE_ISSUED},
    [SL_SM7_STAGE_COLLECT] = {"collect", "a collector reads its operands", SL_PROBE_STAGED},
    [SL_SM7_STAGE_EXECUTE] = {"execute", "its arithmetic unit executes it", SL_PROBE_STAGED},
    [SL_SM7_STAGE_MEMORY] = {"memory", "the load/store unit has accepted it", SL_PROBE_STAGED},
    [SL_SM7_STAGE_DONE] = {"done", "its results are written, or it has been flushed",
                           SL_PROBE_RETIRED | SL_PROBE_FLUSHED},
};

const struct sl_stages sl_sm7_stages = {stages, SL_SM7_STAGES};

/* clang-format off */
#define COUNTER(id, name, unit, role, value, meaning) case ID_##id: return value;
#define CAUSE(id, name, kind, meaning) case ID_CAUSE_##id: return t->sm.cause[SL_SM7_STALL_REASON_##id];
/* clang-format on */
uint64_t sl_sm7_counter(const struct sl_sm7_totals *t, uint64_t cycles, size_t index)
{
  switch (index) {
#include "machine/sm7/sm7_counters.def"
  default: return 0;
  }
}
#undef COUNTER
#undef CAUSE
