#include "machine/simty/simty_sm.h"

enum {
  CYCLES,
  ISSUED,
  COMMITTED,
  WRONG_PATH,
  THREAD_INSTRUCTIONS,
  REDIRECTS,
  PARTIAL_REPLAYS,
  INDIRECT_REPLAYS,
  MEMORY_REQUESTS,
  DRAM_BEATS,
  WARP_INSTRUCTIONS,
  SLOTS_ISSUED,
  SLOTS_REPLAYED,
  SLOTS_WRONG_PATH,
  SLOTS_IN_FLIGHT,
  SLOTS_MEMORY,
  SLOTS_UNIT,
  SLOTS_BARRIER,
  SLOTS_BANK,
  SLOTS_FETCH,
  SLOTS_INITIAL,
  STACK_USES,
  SORTER_PROBES,
  COUNTER_COUNT
};

#define RTL(index, rtl, name_, unit_, meaning_)                                                                        \
  [index] = {.name = name_, .unit = unit_, .meaning = meaning_, .rtl_id = -1, .rtl_name = rtl}
#define OURS(index, name_, unit_, meaning_) [index] = {.name = name_, .unit = unit_, .meaning = meaning_, .rtl_id = -1}

/* clang-format off */
static const struct sl_counter counters[COUNTER_COUNT] = {
  RTL(CYCLES, "cycles", "cycles", "cycles",
      "cycles from reset until the memory has the last done word, with the initialisation"),
  RTL(ISSUED, "issued", "issued", "instructions",
      "warp instructions that entered operand collection, with those still under way at the end"),
  RTL(COMMITTED, "committed", "committed", "instructions", "those that belonged to a path"),
  RTL(WRONG_PATH, "wrong_path", "wrong_path", "instructions", "those that did not"),
  RTL(THREAD_INSTRUCTIONS, "lane_insns", "thread_instrs", "instructions",
      "lanes of the paths that instructions were committed on, also of those that replay"),
  RTL(REDIRECTS, "redirects", "redirects", "redirects", "redirects of the front end"),
  RTL(PARTIAL_REPLAYS, "partial_replays", "partial_replays", "instructions",
      "memory instructions that left lanes behind, which execute them again; with units, also what those did not take"),
  OURS(INDIRECT_REPLAYS, "indirect_replays", "instructions", "the same of indirect jumps"),
  RTL(MEMORY_REQUESTS, "mem_requests", "mem_requests", "requests", "requests the memory has seen"),
  OURS(DRAM_BEATS, "dram_beats", "beats", "beats read from and written to DRAM, if that is the memory"),
  OURS(WARP_INSTRUCTIONS, "warp_instrs", "instructions", "warp instructions executed, each pass counted"),
  OURS(SLOTS_ISSUED, "slots_issued", "cycles", "issue slots with an instruction that completed"),
  OURS(SLOTS_REPLAYED, "slots_replayed", "cycles", "issue slots with an instruction that left lanes behind"),
  OURS(SLOTS_WRONG_PATH, "slots_wrong_path", "cycles", "issue slots with an instruction that belonged to no path"),
  OURS(SLOTS_IN_FLIGHT, "slots_in_flight", "cycles", "issue slots with an instruction under way at the end"),
  OURS(SLOTS_MEMORY, "slots_memory", "cycles", "no warp ready: some wait for memory"),
  OURS(SLOTS_UNIT, "slots_unit", "cycles",
       "no warp ready, none waits for memory: some wait for multiplier, divider, floating-point unit or the end of a "
       "warp command"),
  OURS(SLOTS_BARRIER, "slots_barrier", "cycles", "no warp ready, none waits for a result: some wait at the barrier"),
  OURS(SLOTS_BANK, "slots_bank", "cycles",
       "no warp ready, none waits for anything else: some have an instruction that must wait for its register bank or for the "
       "warp's last one"),
  OURS(SLOTS_FETCH, "slots_fetch", "cycles", "no warp ready: no instruction has been fetched"),
  OURS(SLOTS_INITIAL, "slots_initial", "cycles", "initialisation, and the first instruction's way to issue"),
  OURS(STACK_USES, "cct_uses", "instructions", "instructions that pushed on or popped from the cold context table"),
  OURS(SORTER_PROBES, "sorter_probes", "probes", "comparisons of the background sorter"),
};
/* clang-format on */

const struct sl_counters sl_simty_counters = {counters, COUNTER_COUNT};

/* Picked or issued and not committed yet. */
static uint64_t in_flight(const struct sl_simty_core *sm)
{
  uint64_t sum = 0;
  for (int age = -1; age < SL_SIMTY_EXECUTED; age++)
    sum += sm->s.ring[(sm->s.cycle - (uint64_t)(int64_t)age) % SL_SIMTY_RING].valid;
  return sum;
}

uint64_t sl_simty_counter(const struct sl_sm *handle, size_t index)
{
  const struct sl_simty_core *sm = sl_simty_of_const(handle);
  const uint64_t *slots = sm->s.counts.slots;
  const uint64_t committed = slots[SL_SIMTY_ISSUED] + slots[SL_SIMTY_REPLAYED];
  switch (index) {
  case CYCLES: return sm->s.cycle;
  case ISSUED: return sm->s.counts.issued;
  case COMMITTED: return committed;
  case WRONG_PATH: return slots[SL_SIMTY_WRONG_PATH];
  case THREAD_INSTRUCTIONS: return sm->s.counts.thread_instructions;
  case REDIRECTS: return sm->s.counts.redirects;
  case PARTIAL_REPLAYS: return sm->s.counts.partial_replays;
  case INDIRECT_REPLAYS: return sm->s.counts.indirect_replays;
  case MEMORY_REQUESTS: return sm->s.counts.requests;
  case DRAM_BEATS: return sm->s.dram.dram.beats;
  case WARP_INSTRUCTIONS: return sm->s.counts.instructions + committed;
  case SLOTS_ISSUED: return slots[SL_SIMTY_ISSUED];
  case SLOTS_REPLAYED: return slots[SL_SIMTY_REPLAYED];
  case SLOTS_WRONG_PATH: return slots[SL_SIMTY_WRONG_PATH];
  case SLOTS_IN_FLIGHT: return in_flight(sm);
  case SLOTS_MEMORY: return slots[SL_SIMTY_MEMORY];
  case SLOTS_UNIT: return slots[SL_SIMTY_UNIT];
  case SLOTS_BARRIER: return slots[SL_SIMTY_BARRIER];
  case SLOTS_BANK: return slots[SL_SIMTY_BANK];
  case SLOTS_FETCH: return slots[SL_SIMTY_FETCH];
  case SLOTS_INITIAL: return slots[SL_SIMTY_INITIAL];
  case STACK_USES: return sm->s.counts.pushes_pops;
  case SORTER_PROBES: return sm->s.counts.probes;
  default: return 0;
  }
}

const char *sl_simty_broken(const struct sl_simty_core *sm)
{
  uint64_t sum = in_flight(sm);
  for (unsigned i = 0; i < SL_SIMTY_SLOT_COUNT; i++)
    sum += sm->s.counts.slots[i];
  if (sm->warps.s.timing && sum != sm->s.cycle)
    return "the issue slot's cycles do not add up";
  for (unsigned w = 0; w < sm->spec.warps; w++) {
    const char *broken = sl_sorted_paths_broken(&sm->paths[w], sm->warps.all);
    if (broken != NULL)
      return broken;
  }
  return NULL;
}
