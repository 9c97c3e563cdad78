/* Turns of warps that execute without timing: whose it is, and how long it lasts.
 *
 * A turn has so many instructions. Where warps are executed in blocks of code, it ends with the first jump backwards or
 * through a register from the last of these on, so that the next one begins where blocks do: a warp that waits for
 * another one's store jumps back, so it cannot keep its turn. Elsewhere it ends with the last of them. Either way it is
 * over when the warp cannot go on. */
#ifndef SL_WARP_TURN_H
#define SL_WARP_TURN_H

#include "isa/isa.h"

/* Plain data. */
struct sl_turn {
  unsigned warp; /* SL_NO_TURN: nobody's yet */
  uint64_t left; /* instructions, the one that may end it included; 0: it is over */
};

#define SL_NO_TURN ((unsigned)-1) /* the warp before the first */

/* From a file (base/sound.h). */
static inline bool sl_turn_sound(const struct sl_turn *turn, unsigned warps)
{
  return turn->warp < warps || (turn->warp == SL_NO_TURN && turn->left == 0);
}

/* Whether a turn may end with the instruction, whether or not its lanes jump. */
static inline bool sl_turn_may_end(const struct sl_insn *in)
{
  return in->kind == SL_KIND_JALR || ((in->kind == SL_KIND_BRANCH || in->kind == SL_KIND_JAL) && (int32_t)in->imm < 0);
}

/* What is left of a turn of `left` after so many instructions. `may_end`: of the last one of them; it may end with no
 * other. */
static inline uint64_t sl_turn_after(uint64_t left, uint64_t instructions, bool may_end)
{
  return instructions < left ? left - instructions : may_end ? 0 : 1;
}

/* Where it ends with the last one: how many there can be, at most so many. */
static inline uint64_t sl_turn_most(const struct sl_turn *turn, uint64_t most)
{
  return most < turn->left ? most : turn->left;
}

#endif
