/* Functional execution of a warp with sorted paths (convergence/sorted_paths.h), one basic block at a time. The
 * paths are fully sorted: the running path precedes all others, so within a block it can only reach the next one. */
#ifndef SL_WARP_BLOCKS_SORTED_BLOCKS_H
#define SL_WARP_BLOCKS_SORTED_BLOCKS_H

#include "convergence/sorted_paths.h"
#include "func/blocks/path_blocks.h"

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
