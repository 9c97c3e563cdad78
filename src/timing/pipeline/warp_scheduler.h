/* What decides which warp is picked: the schedulers of SIMTight and Simty, and of SIMTight the suspension bits, the
 * barrier release unit and dynamic spilling, each with its contract and source below.
 *
 * SIMTight's history scheduler: a fair pick from a set of warps, in the warp scheduling stage.
 *
 * It picks the lowest-numbered available warp that is not in the history and adds it to the history. If all available
 * warps are in the history, it picks the lowest-numbered one, which becomes the whole history. With no available warp
 * the history is unchanged. The history also persists from kernel to kernel. Source: paper, section III-A, stage 1;
 * rule from the published RTL. */
#ifndef SL_UNIT_WARP_SCHEDULER_H
#define SL_UNIT_WARP_SCHEDULER_H

#include "base/types.h"
#include "func/path_warps.h"

/* Simty's schedule stage: loose round robin.
 *
 * The stage walks a binary tree over the warps from the top. A pointer guides it; the pointer advances by one every
 * cycle, regardless of the pick. At each level the walk enters the pointer's half, or the other half if the pointer's
 * contains no ready warp. Combinational. Source: Simty paper (RR-8944), section 3.2, "schedule"; published RTL. */

/* The walk among eight: entry [p][s] is the i of the non-empty set s with the least i ^ p. */
extern const uint8_t sl_loose_round_robin_of_8[8][256];

/* Picks a warp from a non-empty set: the warp w with the least w ^ pointer, because at each level the pointer's half
 * goes first. The pointer is less than the number of warps, a power of two. */
static inline unsigned sl_loose_round_robin(sl_warps ready, unsigned pointer)
{
  const sl_warps lowest_bits = UINT64_C(0x0101010101010101), low_bits = UINT64_C(0x7f7f7f7f7f7f7f7f);
  if (ready >> pointer & 1)
    return pointer;
  const sl_warps occupied = (((ready & low_bits) + low_bits) | ready) >> 7 & lowest_bits; /* bit 8 g: some of group g */
  const unsigned groups = (unsigned)(occupied * UINT64_C(0x0102040810204080) >> 56);
  const unsigned group = sl_loose_round_robin_of_8[pointer >> 3][groups];
  return group << 3 | sl_loose_round_robin_of_8[pointer & 7][ready >> (group << 3) & 0xff];
}

struct sl_scheduler {
  sl_warps history;
};

/* Picks a warp from a non-empty set. */
static inline unsigned sl_scheduler_pick(struct sl_scheduler *s, sl_warps available)
{
  sl_warps fresh = available & ~s->history;
  if (fresh) {
    unsigned warp = sl_lowest(fresh);
    s->history |= sl_bit(warp);
    return warp;
  }
  unsigned warp = sl_lowest(available);
  s->history = sl_bit(warp);
  return warp;
}

/* Picks from any set and returns the pick as a set, which is empty if the set is. Branch-free. */
static inline sl_warps sl_scheduler_pick_any(struct sl_scheduler *s, sl_warps available)
{
  const sl_warps fresh = available & ~s->history, from_these = sl_choose(fresh != 0, fresh, available);
  const sl_warps pick = from_these & -from_these;
  s->history = sl_choose((unsigned)(fresh != 0) | (available == 0), s->history, 0) | pick;
  return pick;
}

/* SIMTight's suspension bits: the threads that wait for a result, and the warp scheduler's view of them.
 *
 * The execute stage sets a thread's bit. The write-back of the result clears it. The scheduler sees the registered OR
 * over a warp's bits, one cycle late. Source: paper, section III-A, stages 1 and 5. */

/* The event that a suspended warp waits for. */
enum sl_wait { SL_WAIT_WRITE_BACK, SL_WAIT_UNIT, SL_WAIT_MEMORY, SL_WAIT_COUNT };

struct sl_suspension {
  sl_warps registered;             /* the scheduler's view in this cycle */
  sl_warps live;                   /* warps with a set bit */
  sl_warps waiting[SL_WAIT_COUNT]; /* warps by kind of wait */
  sl_lanes lanes[SL_MAX_WARPS];
};

/* Starts the clock edge that ends a cycle: the registered copy takes the bits of the cycle. */
static inline void sl_suspension_clock(struct sl_suspension *s)
{
  s->registered = s->live;
}

static inline void sl_suspension_set(struct sl_suspension *s, unsigned warp, sl_lanes lanes, enum sl_wait wait)
{
  s->lanes[warp] |= lanes;
  s->live |= sl_bit(warp);
  s->waiting[wait] |= sl_bit(warp);
}

/* Clears the bits of lanes that are suspended, or of none. The code has no branch on whether the warp resumes: that is
 * hard to predict. */
static inline void sl_suspension_clear(struct sl_suspension *s, unsigned warp, sl_lanes lanes)
{
  const sl_lanes left = s->lanes[warp] & ~lanes;
  const sl_warps others = ~((sl_warps)(left == 0) << warp);
  s->lanes[warp] = left;
  s->live &= others;
  for (unsigned w = 0; w < SL_WAIT_COUNT; w++)
    s->waiting[w] &= others;
}

/* SIMTight's barrier release unit: one bit per waiting warp, and a state machine that releases the warps of a block
 * together.
 *
 * SNAPSHOT copies the waiting bits and starts at warp 0. TEST checks whether the next `block` warps of the snapshot all
 * wait; it returns to SNAPSHOT when the snapshot is exhausted. RELEASE takes one cycle per warp of the block, and
 * releases the warps if the test succeeded. With no waiting warps the unit alternates between SNAPSHOT and TEST. A
 * block of 0 warps means all warps. Source: published RTL of SIMTight, barrier release unit. */

enum sl_barrier_state { SL_BARRIER_SNAPSHOT, SL_BARRIER_TEST, SL_BARRIER_RELEASE };

struct sl_barrier {
  sl_warps waiting;
  unsigned state; /* enum sl_barrier_state */
  unsigned warps; /* warps of the SM */
  unsigned block; /* warps per block, modulo warps */
  sl_warps snapshot;
  bool success;
  unsigned warp, count;
};

static inline void sl_barrier_start(struct sl_barrier *b, unsigned warps, unsigned block, enum sl_barrier_state state)
{
  *b = (struct sl_barrier){.state = state, .warps = warps, .block = block & (warps - 1)};
}

/* Whether no warp waits and no release is in progress: the state machine only alternates. */
static inline bool sl_barrier_idle(const struct sl_barrier *b)
{
  return b->waiting == 0 && b->snapshot == 0 && b->state != SL_BARRIER_RELEASE;
}

/* Whether all warps of some block wait, so that the barrier is about to release them. */
static inline bool sl_barrier_opening(const struct sl_barrier *b)
{
  const unsigned step = b->block ? b->block : b->warps;
  for (unsigned first = 0; first + step <= b->warps; first += step)
    if (((b->waiting >> first) & sl_low_bits(step)) == sl_low_bits(step))
      return true;
  return false;
}

/* The warps of all blocks that wait completely. `step` warps form a block; it is a power of two. */
static inline sl_warps sl_barrier_whole(sl_warps waiting, unsigned step)
{
  static const sl_warps first[] = {UINT64_MAX,
                                   UINT64_C(0x5555555555555555),
                                   UINT64_C(0x1111111111111111),
                                   UINT64_C(0x0101010101010101),
                                   UINT64_C(0x0001000100010001),
                                   UINT64_C(0x0000000100000001),
                                   1}; /* bit w: warp w is the first of a block */
  for (unsigned have = 1; have < step; have *= 2)
    waiting &= waiting >> have; /* bit w: 2 * have warps from w on wait */
  return (waiting & first[sl_log2(step)]) * sl_low_bits(step);
}

/* Without timing: releases every block whose warps all wait, and returns the released warps. */
static inline sl_warps sl_barrier_open(struct sl_barrier *b)
{
  const unsigned step = b->block ? b->block : b->warps;
  sl_warps released = 0;
  if (b->waiting == 0)
    return 0;
  if (sl_is_pow2(step))
    released = sl_barrier_whole(b->waiting, step);
  else
    for (unsigned first = 0; first + step <= b->warps; first += step) {
      const sl_warps block = sl_low_bits(step) << first;
      released |= (b->waiting & block) == block ? block : 0;
    }
  b->waiting &= ~released;
  return released;
}

/* Advances an idle barrier by `cycles` cycles. */
static inline void sl_barrier_skip(struct sl_barrier *b, unsigned cycles)
{
  b->state ^= cycles & 1; /* alternates between SNAPSHOT and TEST */
}

/* Performs one cycle and returns the released warps. Warps that arrive in this cycle are added to `waiting` afterwards.
 * `paused`: no warp is released in this cycle. */
static inline sl_warps sl_barrier_cycle(struct sl_barrier *b, bool paused)
{
  if (sl_barrier_idle(b)) {
    sl_barrier_skip(b, 1);
    return 0;
  }
  sl_warps released = 0;
  switch ((enum sl_barrier_state)b->state) {
  case SL_BARRIER_SNAPSHOT:
    b->snapshot = b->waiting;
    b->warp = 0;
    b->state = SL_BARRIER_TEST;
    break;
  case SL_BARRIER_TEST: {
    sl_warps block = sl_low_bits(b->block ? b->block : b->warps);
    b->success = (b->snapshot & block) == block;
    b->count = 1;
    b->state = b->snapshot ? SL_BARRIER_RELEASE : SL_BARRIER_SNAPSHOT;
    break;
  }
  case SL_BARRIER_RELEASE:
    if (paused)
      break;
    if (b->success) {
      released = sl_bit(b->warp);
      b->waiting &= ~released;
    }
    b->snapshot >>= 1;
    b->warp = (b->warp + 1) & (b->warps - 1);
    if ((b->count & (b->warps - 1)) == b->block)
      b->state = SL_BARRIER_TEST;
    b->count = (b->count + 1) & (b->warps - 1);
    break;
  }
  return released;
}

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
