/* Functional execution of RISC-V warps of sm7 by basic blocks: the function of sl_sm7_rv_issue() without its dispatch.
 * Execution continues to the point where diverged lanes reconverge. */
#ifndef SL_MACHINE_SM7_RV_BLOCKS_H
#define SL_MACHINE_SM7_RV_BLOCKS_H

#include "machine/sm7/riscv/sm7_rv_warps.h"

/* Creates the basic blocks for these warps; none if memory is not flat. */
void sl_sm7_rv_blocks_init(struct sl_sm7_rv *rv, enum sl_execution_mode mode, bool portable);

/* Result of a call: what it has executed. */
struct sl_sm7_rv_run {
  uint64_t instructions, thread_instructions;
};

/* Executes at most the given number of instructions of a warp. Call it between sl_fp_enter() and sl_fp_leave(). If it
 * executes fewer, the next instruction needs sl_sm7_rv_issue(). */
struct sl_sm7_rv_run sl_sm7_rv_blocks_run(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at,
                                          uint64_t instructions);

#endif
