#include "machine/simtight/simtight_sm.h"

#define RTL(id, number, rtl, name, unit, role, value, meaning) ID_##id,
#define OURS(id, name, unit, role, value, meaning) ID_##id,
#define CAUSE(id, name, kind, meaning) ID_CAUSE_##id,
enum {
#include "machine/simtight/simtight_counters.def"
  COUNTER_COUNT
};
#undef RTL
#undef OURS
#undef CAUSE

#define RTL(id, number, rtl, name, unit, role, value, meaning)                                                         \
  {name, unit, SL_COUNTER_##role, NULL, meaning, number, rtl},
#define OURS(id, name, unit, role, value, meaning) {name, unit, SL_COUNTER_##role, NULL, meaning, -1, NULL},
#define CAUSE(id, name, kind, meaning) {"slots_" name, "cycles", SL_COUNTER_STALL_REASON, name, meaning, -1, NULL},
static const struct sl_counter counters[COUNTER_COUNT] = {
#include "machine/simtight/simtight_counters.def"
};
#undef RTL
#undef OURS
#undef CAUSE

const struct sl_counters sl_simtight_counters = {counters, COUNTER_COUNT};

const struct sl_energy_source sl_simtight_energy[] = {
    {SL_ENERGY_FETCH, "warp_instrs", 1},
    {SL_ENERGY_SCHEDULE, "warp_instrs", 1},
    {SL_ENERGY_LANE_OTHER, "thread_instrs", 1},
    {SL_ENERGY_SHARED, "scratchpad_words", 32},
    {0},
};

/* The hardware sums instructions in a tree of registers. At the end the counter lacks the tree's latest values. */
static uint64_t uncounted(const struct sl_simtight_sm *sm)
{
  uint64_t sum = 0;
  for (int64_t c = sm->s.cycle - SL_SIMTIGHT_UNCOUNTED; c < sm->s.cycle; c++)
    if (c >= 0)
      sum += sm->s.recent[c % SL_SIMTIGHT_RING];
  return sum;
}

static uint64_t registers(const struct sl_simtight_sm *sm)
{
  return (uint64_t)sm->spec.warps * SL_REGISTERS;
}

/* Warp instructions that the scalar pipeline executed. */
static uint64_t scalar(const struct sl_simtight_sm *sm)
{
  return sm->s.scalar.issues - sm->s.scalar.retries - sm->s.scalar.misfits;
}

/* clang-format off */
#define RTL(id, number, rtl, name, unit, role, value, meaning) case ID_##id: return value;
#define OURS(id, name, unit, role, value, meaning) case ID_##id: return value;
#define CAUSE(id, name, kind, meaning) case ID_CAUSE_##id: return sm->s.counts.slots[SL_SLOT_##id];
/* clang-format on */
uint64_t sl_simtight_counter(const struct sl_sm *handle, size_t index)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  switch (index) {
#include "machine/simtight/simtight_counters.def"
  default: return 0;
  }
}
