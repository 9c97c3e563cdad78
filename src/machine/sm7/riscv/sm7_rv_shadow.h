/* Shadow execution of a RISC-V kernel with linear registers (key r2d2.shadow). Each warp has a shadow with its own
 * registers and stack, which executes the original kernel. Before the warp accesses shared or global memory, or
 * branches, its shadow advances to the same operation. The two are compared in each lane: addresses, stored values,
 * operands of atomics, and which lanes branch. A shadow's loads return the values that the warp has read; shadows write
 * nothing. */
#ifndef SL_MACHINE_SM7_RV_SHADOW_H
#define SL_MACHINE_SM7_RV_SHADOW_H

#include "machine/sm7/riscv/sm7_rv_warps.h"

/* Creates the shadows of a launch; `step` executes one of their instructions (sm7_rv_execute.h). False: out of
 * memory. */
bool sl_sm7_rv_shadow_make(struct sl_sm7_rv *rv, sl_sm7_rv_step *step);

/* A warp begins the rest of the kernel. False: out of memory. */
bool sl_sm7_rv_shadow_begin(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at);

/* Called before a warp in the rest executes an instruction on the given lanes, with its operands in the registers.
 * False: the shadow differs; see the fault. */
bool sl_sm7_rv_shadow_before(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *insn,
                             uint32_t active);

/* Called after the instruction: the shadow continues with the values read. */
void sl_sm7_rv_shadow_after(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *insn,
                            uint32_t active);

#endif
