/* Functional execution of a grid on several host threads. Each runs ranges of consecutive blocks
 * (ptx/run/ptx_grid.h), and takes the next range when it has finished one.
 *
 * Blocks of a grid have no order (PTX ISA, "Memory Consistency Model"), so results are those of one thread unless
 * blocks race, where one stores weakly to a place that another one accesses, or read what they have not written.
 * Kernels that communicate between blocks in any other way run on one thread: those with strong accesses to global
 * memory, fences beyond the block, calls of the host, reads of the clock, and atomics, except for reductions of
 * integers that may be performed in any order and whose old value no instruction reads. A fault is that of the first
 * block that has one, with the counts up to there. */
#ifndef SL_PTX_STEP_PTX_PARALLEL_H
#define SL_PTX_STEP_PTX_PARALLEL_H

#include "ptx/run/ptx_grid.h"

/* Whether a launch has several blocks, and the kernel and the bounds allow them to run at the same time: bounds without
 * limit, checkpoints, observer, order and range. */
bool sl_ptx_parallel_allowed(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds);

/* Runs such a grid to its end on up to `threads` threads, including the caller's, which alone calls goes_on. Adds to
 * *counts; *fault: the fault that ended it, otherwise unchanged. */
enum sl_status sl_ptx_parallel_run(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                                   unsigned threads, struct sl_ptx_counts *counts, struct sl_ptx_fault *fault,
                                   struct sl_error *err);

#endif
