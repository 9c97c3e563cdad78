/* The shadow of a RISC-V kernel with linear registers (key r2d2.shadow): each warp has one, with registers and a stack
 * of its own, that executes the kernel as it was. Before the warp accesses memory that others see, or branches, its
 * shadow comes to where it does the same, and both are compared in each lane: addresses, what is stored, operands of
 * atomics, which lanes branch. What comes from memory is what the warp has read; shadows write nothing. */
#ifndef SL_MACHINE_SM7_RV_SHADOW_H
#define SL_MACHINE_SM7_RV_SHADOW_H

#include "machine/sm7/riscv/sm7_rv_warps.h"

/* Makes the shadows of a launch; `step` executes an instruction of theirs (sm7_rv_execute.h). False: no memory. */
bool sl_sm7_rv_shadow_make(struct sl_sm7_rv *rv, sl_sm7_rv_step *step);

/* A warp begins the rest of the kernel. False: no memory. */
bool sl_sm7_rv_shadow_begin(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at);

/* Before a warp in the rest executes an instruction, whose operands are in its registers, on those lanes. False: the
 * shadow does something else; see the fault. */
bool sl_sm7_rv_shadow_before(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *insn,
                             uint32_t active);

/* After that: the shadow goes on, with what has been read. */
void sl_sm7_rv_shadow_after(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *insn,
                            uint32_t active);

#endif
