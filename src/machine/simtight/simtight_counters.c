#include "machine/simtight/simtight_sm.h"

enum {
  CYCLES,
  THREAD_INSTRUCTIONS,
  MAX_VECTOR_REGISTERS,
  MAX_CAPABILITY_REGISTERS,
  SCALARISED,
  RETRIES,
  BUBBLES,
  SCALAR_BUBBLES,
  SCALAR_ABORTS,
  DRAM_BEATS,
  TOTAL_VECTOR_REGISTERS,
  TOTAL_CAPABILITY_REGISTERS,
  STACK_CACHE_HITS,
  STACK_CACHE_MISSES,
  CAPABILITY_CACHE_HITS,
  CAPABILITY_CACHE_MISSES,
  WARP_INSTRUCTIONS,
  ALL_THREAD_INSTRUCTIONS,
  SLOTS_ISSUED,
  SLOTS_RETRIED,
  SLOTS_BUBBLE,
  SLOTS_SPILL,
  SLOTS_UNSPILL,
  SLOTS_MEMORY,
  SLOTS_UNIT,
  SLOTS_BARRIER,
  SLOTS_PIPELINE,
  SLOTS_FINISHED,
  DRAM_TRANSACTIONS,
  SCRATCHPAD_REQUESTS,
  SCRATCHPAD_PASSES,
  SPILLS,
  UNSPILLS,
  SCALAR_WARP_INSTRUCTIONS,
  SCALAR_RETRIES,
  INIT_CYCLES,
  COUNTER_COUNT
};

#define RTL(index, id, rtl, name_, unit_, meaning_)                                                                    \
  [index] = {.name = name_, .unit = unit_, .meaning = meaning_, .rtl_id = id, .rtl_name = rtl}
#define OURS(index, name_, unit_, meaning_) [index] = {.name = name_, .unit = unit_, .meaning = meaning_, .rtl_id = -1}

/* clang-format off */
static const struct sl_counter counters[COUNTER_COUNT] = {
  RTL(CYCLES, 0, "Cycles", "cycles", "cycles", "cycles with the pipeline active"),
  RTL(THREAD_INSTRUCTIONS, 1, "Instrs", "thread_instrs", "instructions",
      "instructions times active lanes, without those of the last 6 cycles, as the hardware counts"),
  RTL(MAX_VECTOR_REGISTERS, 2, "MaxVecRegs", "max_vector_registers", "registers",
      "most vector registers in use at once"),
  RTL(MAX_CAPABILITY_REGISTERS, 3, "MaxCapVecRegs", "max_capability_registers", "registers",
      "the same for capability meta-data, an extension this machine does not have"),
  RTL(SCALARISED, 4, "ScalarisableInstrs", "scalarised_instrs", "instructions",
      "thread instructions executed by the scalar pipeline"),
  RTL(RETRIES, 5, "Retries", "retries", "instructions", "warp instructions that found their unit busy"),
  RTL(BUBBLES, 6, "Susps", "bubbles", "slots", "warps that reached execute while suspended"),
  RTL(SCALAR_BUBBLES, 7, "ScalarSusps", "scalar_bubbles", "slots", "the same in the scalar pipeline"),
  RTL(SCALAR_ABORTS, 8, "ScalarAborts", "scalar_aborts", "instructions", "instructions the scalar pipeline gave up"),
  RTL(DRAM_BEATS, 9, "DRAMAccs", "dram_beats", "beats", "beats read from and written to DRAM"),
  RTL(TOTAL_VECTOR_REGISTERS, 10, "TotalVecRegs", "total_vector_registers", "registers",
      "vector registers in use, summed over samples"),
  RTL(TOTAL_CAPABILITY_REGISTERS, 11, "TotalCapVecRegs", "total_capability_registers", "registers",
      "the same for capability meta-data"),
  RTL(STACK_CACHE_HITS, 12, "SBLoadHit", "stack_cache_hits", "transactions", "stack loads that hit the stack cache"),
  RTL(STACK_CACHE_MISSES, 13, "SBLoadMiss", "stack_cache_misses", "transactions",
      "stack loads that do not; without a stack cache, all"),
  RTL(CAPABILITY_CACHE_HITS, 14, "SBCapLoadHit", "capability_cache_hits", "transactions",
      "the same for capability meta-data"),
  RTL(CAPABILITY_CACHE_MISSES, 15, "SBCapLoadMiss", "capability_cache_misses", "transactions",
      "the same for capability meta-data"),
  OURS(WARP_INSTRUCTIONS, "warp_instrs", "instructions", "warp instructions executed"),
  OURS(ALL_THREAD_INSTRUCTIONS, "all_thread_instrs", "instructions",
       "instructions times active lanes, to the last cycle"),
  OURS(SLOTS_ISSUED, "slots_issued", "cycles", "issue slots with an instruction that executed"),
  OURS(SLOTS_RETRIED, "slots_retried", "cycles", "issue slots with an instruction that has to retry"),
  OURS(SLOTS_BUBBLE, "slots_bubble", "cycles",
       "issue slots with a warp that was suspended, or had no register to spill"),
  OURS(SLOTS_SPILL, "slots_spill", "cycles", "issue slots given to spilling a register"),
  OURS(SLOTS_UNSPILL, "slots_unspill", "cycles", "issue slots in which an operand had to be read back"),
  OURS(SLOTS_MEMORY, "slots_memory", "cycles", "no warp to pick: some wait for memory"),
  OURS(SLOTS_UNIT, "slots_unit", "cycles",
       "no warp to pick, none waits for memory: some wait for multiplier, divider or floating-point unit"),
  OURS(SLOTS_BARRIER, "slots_barrier", "cycles", "no warp to pick, none waits for a result: some wait at the barrier"),
  OURS(SLOTS_PIPELINE, "slots_pipeline", "cycles", "no warp to pick: every warp has an instruction in the pipeline"),
  OURS(SLOTS_FINISHED, "slots_finished", "cycles",
       "no warp to pick: warps have ended and those left cannot fill the pipeline"),
  OURS(DRAM_TRANSACTIONS, "dram_transactions", "transactions", "transactions the coalescing unit made for DRAM"),
  OURS(SCRATCHPAD_REQUESTS, "scratchpad_requests", "requests", "warp requests the scratchpad served"),
  OURS(SCRATCHPAD_PASSES, "scratchpad_passes", "cycles", "cycles of the scratchpad's bank arbitration"),
  OURS(SPILLS, "spills", "registers", "vector registers written to memory for lack of slots"),
  OURS(UNSPILLS, "unspills", "registers", "vector registers read back"),
  OURS(SCALAR_WARP_INSTRUCTIONS, "scalar_warp_instrs", "instructions",
       "warp instructions executed by the scalar pipeline"),
  OURS(SCALAR_RETRIES, "scalar_retries", "instructions", "of the scalar pipeline, those that found their unit busy"),
  OURS(INIT_CYCLES, "init_cycles", "cycles",
       "cycles before the first of the kernel, in which thread state and scalar registers are initialised"),
};
/* clang-format on */

const struct sl_counters sl_simtight_counters = {counters, COUNTER_COUNT};

/* The hardware adds up instructions in a tree of registers, whose latest values the counter misses at the end. */
static uint64_t uncounted(const struct sl_simtight_sm *sm)
{
  uint64_t sum = 0;
  for (int64_t c = sm->s.cycle - SL_SIMTIGHT_UNCOUNTED; c < sm->s.cycle; c++)
    if (c >= 0)
      sum += sm->s.recent[c % SL_SIMTIGHT_RING];
  return sum;
}

uint64_t sl_simtight_counter(const struct sl_sm *handle, size_t index)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  const uint64_t *slots = sm->s.counts.slots;
  const uint64_t registers = (uint64_t)sm->spec.warps * SL_REGISTERS;
  const uint64_t scalar = sm->s.scalar.issues - sm->s.scalar.retries - sm->s.scalar.misfits;
  switch (index) {
  case CYCLES: return (uint64_t)sm->s.cycle;
  case THREAD_INSTRUCTIONS:
    return sm->s.counts.thread_instructions - uncounted(sm) + sm->s.scalar.issues * sm->spec.lanes;
  case SCALARISED: return sm->s.scalar.issues * sm->spec.lanes;
  case SCALAR_BUBBLES: return sm->s.scalar.bubbles;
  case SCALAR_ABORTS: return sm->s.scalar.aborts;
  case MAX_VECTOR_REGISTERS: return sm->spec.compressed ? sm->s.registers.most : registers;
  case TOTAL_VECTOR_REGISTERS: return sm->s.registers.samples;
  case STACK_CACHE_HITS: return sm->s.stack_cache.hits;
  case MAX_CAPABILITY_REGISTERS: return registers;
  case RETRIES: return slots[SL_SLOT_RETRIED];
  case DRAM_BEATS: return sm->s.dram.beats;
  case STACK_CACHE_MISSES:
    return sm->s.stack_cache.entries ? sm->s.stack_cache.misses : sm->s.coalescer.stack_load_passes;
  case WARP_INSTRUCTIONS: return sm->s.counts.instructions + slots[SL_SLOT_ISSUED] + scalar;
  case ALL_THREAD_INSTRUCTIONS: return sm->s.counts.thread_instructions + scalar * sm->spec.lanes;
  case SCALAR_WARP_INSTRUCTIONS: return scalar;
  case SCALAR_RETRIES: return sm->s.scalar.retries;
  case SPILLS: return sm->s.spill.spills;
  case UNSPILLS: return sm->s.spill.unspills;
  case INIT_CYCLES: return sm->spec.warps + (sm->spec.compressed ? registers : 0);
  case SLOTS_ISSUED: return slots[SL_SLOT_ISSUED];
  case SLOTS_RETRIED: return slots[SL_SLOT_RETRIED];
  case BUBBLES:
  case SLOTS_BUBBLE: return slots[SL_SLOT_BUBBLE];
  case SLOTS_SPILL: return slots[SL_SLOT_SPILL];
  case SLOTS_UNSPILL: return slots[SL_SLOT_UNSPILL];
  case SLOTS_MEMORY: return slots[SL_SLOT_MEMORY];
  case SLOTS_UNIT: return slots[SL_SLOT_UNIT];
  case SLOTS_BARRIER: return slots[SL_SLOT_BARRIER];
  case SLOTS_PIPELINE: return slots[SL_SLOT_PIPELINE];
  case SLOTS_FINISHED: return slots[SL_SLOT_FINISHED];
  case DRAM_TRANSACTIONS: return sm->s.coalescer.passes;
  case SCRATCHPAD_REQUESTS: return sm->s.scratchpad.requests;
  case SCRATCHPAD_PASSES: return sm->s.scratchpad.passes;
  default: return 0;
  }
}
