/* Dynamic spilling: when the vector register file runs out of slots, warps give vectors back, one at a time.
 *
 * Spill mode, a register, is on while fewer slots than the threshold are free. In it, the scheduler picks spill slots
 * instead of instructions, with a history of its own: a warp that could run or waits at the barrier, and is not
 * spilling already. The slot goes down the pipeline with the warp's next instruction; a victim is chosen in the fetch
 * stage's second cycle (pick + 4) among the warp's vectors, but never a register that the instruction's rd, rs1 and rs2
 * fields name, and written to memory in the execute stage. The warp stays marked as spilling to the end of the third
 * cycle after that.
 *
 * Policies, of which each takes the lowest-numbered of the registers it prefers, or of all if it prefers none:
 *   lru          a counter of eight bits per register counts uses by warp 0; preferred are those with counters not
 *                above the least one of the warp's odd-numbered vectors. When one is full, a use halves all instead.
 *   round-robin  preferred are those above the choice made two cycles before, all if that was none. A choice is made
 *                in every cycle, also where no slot, or an instruction, passes the stage: the preference is a register
 *                that follows another one, which holds the latest choice
 *   first        none preferred
 * (Paper, section III-B and Figure 3; details from the published RTL, round-robin from its registers spillMaskPref and
 * spillMaskPrev.) */
#ifndef SL_UNIT_SPILL_H
#define SL_UNIT_SPILL_H

#include "unit/scheduler.h"
#include "warp/path_warps.h"

enum sl_spill_policy { SL_SPILL_LRU, SL_SPILL_ROUND_ROBIN, SL_SPILL_FIRST };

enum { SL_SPILL_CLEAR_CYCLES = 3 /* from execute to the end of a warp's spilling mark */, SL_SPILL_RING = 4 };
SL_HOLDS(SL_SPILL_RING, SL_SPILL_CLEAR_CYCLES + 1, "marks that have not ended");

struct sl_spill {
  enum sl_spill_policy policy;
  unsigned threshold;
  bool mode;
  sl_warps spilling;
  struct sl_scheduler scheduler;
  int8_t victim[SL_MAX_WARPS];    /* chosen for the warp's spill slot, -1 for none */
  int8_t clearing[SL_SPILL_RING]; /* warp whose mark ends with cycle c at c % RING, -1 for none */
  uint8_t uses[SL_REGISTERS];     /* of warp 0's registers; survives kernels */
  uint32_t preferred[2];          /* of the round robin: in this cycle, and in the next */
  uint64_t spills, unspills;      /* registers written to memory and read back */
  uint64_t fruitless;             /* spill slots since something was last evicted */
};

/* Start of a kernel; policy and threshold stay, and the use counters. */
static inline void sl_spill_start(struct sl_spill *s)
{
  s->mode = false;
  s->spilling = 0;
  s->spills = s->unspills = s->fruitless = 0;
  s->preferred[0] = s->preferred[1] = UINT32_MAX; /* while registers are initialised there is nothing to choose */
  for (unsigned i = 0; i < 4; i++)
    s->clearing[i] = -1;
}

/* Warps that may be given a spill slot. */
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

/* The victim among a warp's vectors, given its next instruction's word, or -1. */
int sl_spill_victim(const struct sl_spill *s, uint32_t vectors, uint32_t word);

/* The same under round robin, once per cycle. */
int sl_spill_choose(struct sl_spill *s, uint32_t vectors, uint32_t word);

/* Warp 0 uses registers (x0: none). */
void sl_spill_use(struct sl_spill *s, unsigned rs1, unsigned rs2);

/* A spill slot has passed the execute stage. */
static inline void sl_spill_done(struct sl_spill *s, unsigned warp, int64_t now)
{
  s->clearing[(now + SL_SPILL_CLEAR_CYCLES) % SL_SPILL_RING] = (int8_t)warp;
}

/* The end of a cycle in which that many slots were free. */
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
