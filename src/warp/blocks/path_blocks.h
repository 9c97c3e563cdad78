/* A warp of paths that executes a stretch at a time: the function of sl_path_execute() without its dispatch.
 *
 * A stretch is what is between two instructions that can change the order of paths: branches, jumps, marks of
 * convergence and what is no step. Within it no path of the warp can come before the one that runs, and only a path
 * that waits at one of its instructions can join: so paths are looked at between stretches, which end where one
 * waits. */
#ifndef SL_WARP_BLOCKS_PATH_BLOCKS_H
#define SL_WARP_BLOCKS_PATH_BLOCKS_H

#include "warp/blocks/stretches.h"
#include "warp/blocks/turn.h"
#include "warp/path_warps.h"

/* Stretches of warps whose lanes meet by that scheme; none where memory is not flat. */
void sl_path_blocks_init(struct sl_stretches *b, const struct sl_path_warps *t, enum sl_convergence scheme,
                         enum sl_tier tier, bool portable);

/* What steps of any warp need; and what those of this one do, but for the active lanes. */
struct sl_step_lanes sl_path_step_lanes(const struct sl_path_warps *t);

static inline void sl_path_step_lanes_of(struct sl_step_lanes *s, const struct sl_path_warps *t, unsigned warp)
{
  s->x = sl_path_warps_registers(t, warp);
  s->stack.lane0 = warp << (2 + t->lane_bits);
}

/* What a call has executed. */
struct sl_path_blocks_run {
  uint64_t instructions, thread_instructions;
  bool commands;    /* the last one was a warp command, */
  uint32_t command; /* this one */
};

/* Executes at most so many instructions of the warp whose turn it is. Fewer: the turn is over, or the next one is for
 * sl_path_execute(). */
struct sl_path_blocks_run sl_path_blocks_run(struct sl_stretches *b, struct sl_path_warps *t, struct sl_turn *turn,
                                             uint64_t most);

#endif
