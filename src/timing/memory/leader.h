/* Simty's leader-based memory arbitration: which lanes of a warp one pass serves.
 *
 * The leader is the lowest active lane. The leader's block has one word per lane. A lane follows the leader if it
 * accesses the word of that block that has the lane's own number. A lane of a load also follows if it accesses the
 * leader's word. Accesses of less than a word, and atomics, serve the leader alone. Lanes that are not served keep
 * their PC and repeat the access. Several stores to one word are served one by one.
 *
 * Timing: combinational, in the cycle after execute. Source: Simty paper (RR-8944), section 3.2, "memory arbitration
 * and coalescing"; published RTL. */
#ifndef SL_MEM_LEADER_H
#define SL_MEM_LEADER_H

#include "isa/lanes.h"

/* Returns the lanes of `active` (not empty) that one pass serves. Addresses are those in memory. */
static inline sl_lanes sl_leader_serves(const struct sl_lane_ops *ops, const struct sl_insn *in,
                                        const uint32_t *address, const struct sl_addresses *summary, sl_lanes active,
                                        unsigned lanes)
{
  const bool load = in->kind == SL_KIND_LOAD;
  const sl_lanes leader = active & -active;
  if (in->width != 4 || (!load && in->kind != SL_KIND_STORE) || active == leader)
    return leader;
  if (load && summary->low == summary->high)
    return active;
  const uint32_t block = summary->first & ~(4 * lanes - 1);
  const sl_lanes own = ops->strided(address, block, 4, lanes) & active;
  const sl_lanes same = ops->equal(address, summary->first, lanes) & active;
  return leader | (load ? own | same : own & ~same);
}

#endif
