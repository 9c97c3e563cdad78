/* A warp of sorted paths (warp/sorted_paths.h) that executes a stretch at a time, without timing and with its paths in
 * order: the running path is before all others, so that within a stretch it can only come to where the next one waits.
 */
#ifndef SL_WARP_BLOCKS_SORTED_BLOCKS_H
#define SL_WARP_BLOCKS_SORTED_BLOCKS_H

#include "warp/blocks/path_blocks.h"
#include "warp/sorted_paths.h"

/* What a call has executed. */
struct sl_sorted_blocks_run {
  uint64_t instructions, thread_instructions;
  uint64_t stack_uses; /* pushes to and pops of the cold context table */
};

/* Executes at most so many instructions of a warp. Fewer: the next one is for whoever executes one by one. */
struct sl_sorted_blocks_run sl_sorted_blocks_run(struct sl_stretches *b, struct sl_path_warps *t,
                                                 struct sl_sorted_paths *paths, unsigned warp, uint64_t instructions);

#endif
