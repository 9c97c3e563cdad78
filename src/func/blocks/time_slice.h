/* Time slices of warps in functional execution.
 *
 * A slice has a number of instructions. When warps execute by basic blocks, the slice ends at the first backward or
 * indirect jump from its last instruction on, so the next slice begins at a block. A warp that polls for another warp's
 * store jumps backward, so it cannot keep its slice. Otherwise the slice ends with its last instruction. It also ends
 * when the warp cannot continue. */
#ifndef SL_WARP_TURN_H
#define SL_WARP_TURN_H

#include "isa/isa.h"

/* Plain data. */
struct sl_time_slice {
  unsigned warp; /* SL_NO_TURN: none yet */
  uint64_t left; /* remaining instructions, including the one that may end it; 0: over */
};

#define SL_NO_TURN ((unsigned)-1) /* the warp before the first one */

/* Validates a slice from a checkpoint. */
static inline bool sl_time_slice_valid(const struct sl_time_slice *slice, unsigned warps)
{
  return slice->warp < warps || (slice->warp == SL_NO_TURN && slice->left == 0);
}

/* Returns true if a slice may end with this instruction, whether or not its lanes jump. */
static inline bool sl_time_slice_may_end(const struct sl_insn *in)
{
  return in->kind == SL_KIND_JALR || ((in->kind == SL_KIND_BRANCH || in->kind == SL_KIND_JAL) && (int32_t)in->imm < 0);
}

/* Returns the rest of a slice of `left` after `instructions` instructions. `may_end`: the last one may end the slice;
 * no other may. */
static inline uint64_t sl_time_slice_after(uint64_t left, uint64_t instructions, bool may_end)
{
  return instructions < left ? left - instructions : may_end ? 0 : 1;
}

/* Returns how many instructions the slice allows if it ends with the last of them; at most `most`. */
static inline uint64_t sl_time_slice_most(const struct sl_time_slice *slice, uint64_t most)
{
  return most < slice->left ? most : slice->left;
}

#endif
