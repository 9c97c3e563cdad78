/* SIMTight's dynamic spilling: when the vector register file runs out of slots, warps spill vectors one at a time.
 *
 * Spill mode, a register, is on while fewer slots than the threshold are free. In spill mode the scheduler picks spill
 * slots instead of instructions, with a separate history. Candidates are warps that could run or wait at the barrier,
 * and do not spill already. The slot passes through the pipeline with the warp's next instruction. The second cycle of
 * the fetch stage (pick + 4) chooses a victim among the warp's vectors; it never chooses a register that the
 * instruction's rd, rs1 and rs2 fields name. The execute stage writes the victim to memory. The warp stays marked as
 * spilling to the end of the third cycle after that.
 *
 * Policies. Each takes the lowest-numbered of its preferred registers, or of all candidates if it prefers none:
 *   lru          An eight-bit counter per register counts the uses by warp 0. Preferred are registers whose counters do
 *                not exceed the minimum over the warp's odd-numbered vectors. If a counter is full, a use halves all.
 *   round-robin  Preferred are registers above the choice of two cycles before, or all if there was none. Every cycle
 *                makes a choice, also if no slot or an instruction is in the stage: the preference is a register that
 *                follows the register of the latest choice.
 *   first        No register is preferred.
 * Source: paper, section III-B and Figure 3; details from the published RTL, round-robin from its registers
 * spillMaskPref and spillMaskPrev. */
#ifndef SL_UNIT_SPILL_H
#define SL_UNIT_SPILL_H

#include "func/path_warps.h"
#include "timing/pipeline/scheduler.h"

enum sl_spill_policy { SL_SPILL_LRU, SL_SPILL_ROUND_ROBIN, SL_SPILL_FIRST };

enum { SL_SPILL_CLEAR_CYCLES = 3 /* from execute to the end of a warp's spilling mark */, SL_SPILL_RING = 4 };
SL_HOLDS(SL_SPILL_RING, SL_SPILL_CLEAR_CYCLES + 1, "marks that have not ended");

struct sl_spill {
  enum sl_spill_policy policy;
  unsigned threshold;
  bool mode;
  sl_warps spilling;
  struct sl_scheduler scheduler;
  int8_t victim[SL_MAX_WARPS];    /* victim of the warp's spill slot, or -1 */
  int8_t clearing[SL_SPILL_RING]; /* warp whose mark ends with cycle c at c % RING, or -1 */
  uint8_t uses[SL_REGISTERS];     /* of warp 0's registers; survives kernels */
  uint32_t preferred[2];          /* round robin: preference of this cycle and of the next */
  uint64_t spills, unspills;      /* registers written to memory and read back */
  uint64_t fruitless;             /* spill slots since the latest eviction */
};

/* Starts a kernel. Policy, threshold and use counters persist. */
static inline void sl_spill_start(struct sl_spill *s)
{
  s->mode = false;
  s->spilling = 0;
  s->spills = s->unspills = s->fruitless = 0;
  s->preferred[0] = s->preferred[1] = UINT32_MAX; /* no choices are made while registers are initialised */
  for (unsigned i = 0; i < 4; i++)
    s->clearing[i] = -1;
}

/* Warps that may receive a spill slot. */
static inline sl_warps sl_spill_candidates(const struct sl_spill *s, sl_warps runnable, sl_warps at_barrier,
                                           sl_warps suspended)
{
  return (runnable | at_barrier) & ~s->spilling & ~suspended;
}

static inline unsigned sl_spill_pick(struct sl_spill *s, sl_warps candidates)
{
  s->fruitless++;
  const unsigned warp = sl_scheduler_pick(&s->scheduler, candidates);
  s->spilling |= sl_bit(warp);
  return warp;
}

/* Returns the victim among a warp's vectors, or -1; `word` is the warp's next instruction. */
int sl_spill_victim(const struct sl_spill *s, uint32_t vectors, uint32_t word);

/* The same under round robin; call it once per cycle. */
int sl_spill_choose(struct sl_spill *s, uint32_t vectors, uint32_t word);

/* Counts the uses of warp 0's registers; x0 is not counted. */
void sl_spill_use(struct sl_spill *s, unsigned rs1, unsigned rs2);

/* Records that a spill slot has passed the execute stage. */
static inline void sl_spill_done(struct sl_spill *s, unsigned warp, int64_t now)
{
  s->clearing[(now + SL_SPILL_CLEAR_CYCLES) % SL_SPILL_RING] = (int8_t)warp;
}

/* Ends a cycle in which free_slots slots were free. */
static inline void sl_spill_clock(struct sl_spill *s, unsigned free_slots, int64_t now)
{
  int8_t *clearing = &s->clearing[(unsigned)now % SL_SPILL_RING];
  if (*clearing >= 0) {
    s->spilling &= ~sl_bit((unsigned)*clearing);
    *clearing = -1;
  }
  s->mode = free_slots < s->threshold;
}

#endif
