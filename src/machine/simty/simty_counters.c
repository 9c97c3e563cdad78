#include "machine/simty/simty_sm.h"

#define RTL(id, rtl, name, unit, role, value, meaning) ID_##id,
#define OURS(id, name, unit, role, value, meaning) ID_##id,
#define CAUSE(id, name, kind, meaning) ID_CAUSE_##id,
enum {
#include "machine/simty/simty_counters.def"
  COUNTER_COUNT
};
#undef RTL
#undef OURS
#undef CAUSE

#define RTL(id, rtl, name, unit, role, value, meaning) {name, unit, SL_COUNTER_##role, NULL, meaning, -1, rtl},
#define OURS(id, name, unit, role, value, meaning) {name, unit, SL_COUNTER_##role, NULL, meaning, -1, NULL},
#define CAUSE(id, name, kind, meaning) {"slots_" name, "cycles", SL_COUNTER_STALL_REASON, name, meaning, -1, NULL},
static const struct sl_counter counters[COUNTER_COUNT] = {
#include "machine/simty/simty_counters.def"
};
#undef RTL
#undef OURS
#undef CAUSE

const struct sl_counters sl_simty_counters = {counters, COUNTER_COUNT};

const struct sl_energy_source sl_simty_energy[] = {
    {SL_ENERGY_FETCH, "warp_instrs", 1},
    {SL_ENERGY_SCHEDULE, "warp_instrs", 1},
    {SL_ENERGY_LANE_OTHER, "thread_instrs", 1},
    {SL_ENERGY_SHARED, "scratchpad_words", 32},
    {0},
};

/* Instructions picked or issued but not committed. */
static uint64_t in_flight(const struct sl_simty_core *sm)
{
  uint64_t sum = 0;
  for (int age = -1; age < SL_SIMTY_EXECUTED; age++)
    sum += sm->s.ring[(sm->s.cycle - (uint64_t)(int64_t)age) % SL_SIMTY_RING].valid;
  return sum;
}

static uint64_t committed(const struct sl_simty_core *sm)
{
  return sm->s.counts.slots[SL_SIMTY_ISSUED] + sm->s.counts.slots[SL_SIMTY_REPLAYED];
}

static uint64_t cycles_of(const struct sl_simty_core *sm, enum sl_simty_slot slot)
{
  return slot == SL_SIMTY_IN_FLIGHT ? in_flight(sm) : sm->s.counts.slots[slot];
}

/* clang-format off */
#define RTL(id, rtl, name, unit, role, value, meaning) case ID_##id: return value;
#define OURS(id, name, unit, role, value, meaning) case ID_##id: return value;
#define CAUSE(id, name, kind, meaning) case ID_CAUSE_##id: return cycles_of(sm, SL_SIMTY_##id);
/* clang-format on */
uint64_t sl_simty_counter(const struct sl_sm *handle, size_t index)
{
  const struct sl_simty_core *sm = sl_simty_of_const(handle);
  switch (index) {
#include "machine/simty/simty_counters.def"
  default: return 0;
  }
}
