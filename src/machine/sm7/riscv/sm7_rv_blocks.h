/* RISC-V warps of sm7 that execute a stretch of code at a time, without timing: the function of sl_sm7_rv_issue()
 * without its dispatch. A stretch goes on to where lanes that went apart meet again. */
#ifndef SL_MACHINE_SM7_RV_BLOCKS_H
#define SL_MACHINE_SM7_RV_BLOCKS_H

#include "machine/sm7/riscv/sm7_rv_warps.h"

/* Stretches of such warps. None where memory is not flat. */
void sl_sm7_rv_blocks_init(struct sl_sm7_rv *rv, enum sl_tier tier, bool portable);

/* What a call has executed. */
struct sl_sm7_rv_run {
  uint64_t instructions, thread_instructions;
};

/* Between sl_fp_enter() and sl_fp_leave(): executes at most so many instructions of a warp. Fewer: the next one is for
 * sl_sm7_rv_issue(). */
struct sl_sm7_rv_run sl_sm7_rv_blocks_run(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at,
                                          uint64_t instructions);

#endif
