/* Functional execution of a warp with paths, one basic block at a time: sl_path_execute() without its dispatch.
 *
 * A basic block lies between two instructions that can change the order of paths: branches, jumps, reconvergence
 * annotations, and instructions that are not steps. Within it no other path can overtake the running one. A waiting
 * path can join only at its own instruction, so a block ends there. Paths are compared only between blocks. */
#ifndef SL_WARP_BLOCKS_PATH_BLOCKS_H
#define SL_WARP_BLOCKS_PATH_BLOCKS_H

#include "convergence/sorted_paths.h"
#include "func/blocks/basic_blocks.h"
#include "func/blocks/time_slice.h"
#include "func/path_warps.h"

/* Prepares the basic blocks for a convergence scheme and an observer. There are none without flat memory, or if the
 * observer wants to hear of each instruction. */
void sl_path_blocks_init(struct sl_basic_blocks *b, const struct sl_path_warps *t, enum sl_scheme scheme,
                         enum sl_execution_mode mode, bool portable, struct sl_probes *probes);

static inline void sl_path_step_lanes_of(struct sl_step_lanes *s, const struct sl_path_warps *t, unsigned warp)
{
  s->x = sl_path_warps_registers(t, warp);
  s->stack.lane0 = warp << (2 + t->lane_bits);
}

/* The result of a call. */
struct sl_path_blocks_run {
  uint64_t instructions, thread_instructions;
  bool commands;    /* the last instruction was a warp command */
  uint32_t command; /* value of the warp command */
};

/* Executes up to `most` instructions of the warp that has the time slice. If it executes fewer, the slice is over or
 * sl_path_execute() must execute the next one. */
struct sl_path_blocks_run sl_path_blocks_run(struct sl_basic_blocks *b, struct sl_path_warps *t,
                                             struct sl_time_slice *slice, uint64_t most);

/* Functional execution of a warp with sorted paths (convergence/sorted_paths.h), one basic block at a time. The
 * paths are fully sorted: the running path precedes all others, so within a block it can only reach the next one. */

/* The result of a call. */
struct sl_sorted_blocks_run {
  uint64_t instructions, thread_instructions;
  uint64_t stack_uses; /* pushes to and pops from the cold context table */
};

/* Executes up to `instructions` instructions of a warp. If it executes fewer, the caller must execute the next one
 * alone. */
struct sl_sorted_blocks_run sl_sorted_blocks_run(struct sl_basic_blocks *b, struct sl_path_warps *t,
                                                 struct sl_sorted_paths *paths, unsigned warp, uint64_t instructions);

#endif
