/* Straight stretches of code, executed a stretch at a time: the function of sl_path_execute() without its dispatch.
 *
 * A stretch is what is between two instructions that can change the order of paths: branches, jumps, marks of
 * convergence and what is no step (steps.h). Within it no path of the warp can come before the one that runs, and only
 * a path that waits at one of its instructions can join: so paths are looked at between stretches, which end where one
 * waits. Registers and memory are up to date after every step, so that stretches can end anywhere. */
#ifndef SL_WARP_BLOCKS_PATH_BLOCKS_H
#define SL_WARP_BLOCKS_PATH_BLOCKS_H

#include "warp/blocks/steps.h"
#include "warp/path_warps.h"

struct sl_path_blocks {
  const struct sl_step_ops *ops; /* NULL: memory is not flat, and everything is left to sl_path_execute() */
  uint64_t edition;              /* of the code that the following is of */
  struct sl_step *step;          /* by number of instruction */
  uint16_t *straight;            /* steps from there on that follow each other; UNKNOWN: not decoded yet */
};

enum sl_status sl_path_blocks_init(struct sl_path_blocks *b, const struct sl_path_warps *t, bool portable,
                                   struct sl_error *err);
void sl_path_blocks_free(struct sl_path_blocks *b);

/* What a call has executed. */
struct sl_path_blocks_run {
  uint64_t instructions, thread_instructions;
};

/* Executes at most so many instructions of a warp. Fewer: the next one is for sl_path_execute(). */
struct sl_path_blocks_run sl_path_blocks_run(struct sl_path_blocks *b, struct sl_path_warps *t, unsigned warp,
                                             uint64_t instructions);

#endif
