/* Linear registers of R2D2 (D. Ha, Y. Oh and W. W. Ro, ISCA 2023) for RISC-V kernels on the SM7 core.
 *
 * The linear variant of a kernel (sm7_rv_linear.h) computes the same result in four phases: the coefficients (one lane,
 * once per SM), the thread part (the warps of one block, once per SM), the block part (one warp of each block, lane i
 * for linear register i), and the rest, whose instructions read sums of these (isa/wide.h). Each phase begins
 * with the kernel's initial registers. */
#ifndef SL_MACHINE_SM7_RV_LINEAR_H
#define SL_MACHINE_SM7_RV_LINEAR_H

#include "machine/sm7/riscv/sm7_rv_warps.h"

/* The front end's `begin` and `phase` (sm7_code.h): a block's warps start at their first phase. */
bool sl_sm7_rv_linear_begin(void *context, unsigned sm, unsigned slot, uint64_t block);
uint8_t sl_sm7_rv_phase(void *context, unsigned sm, unsigned slot, unsigned warp);

/* Lanes of a warp of a block in a phase: threads, or linear registers. */
uint32_t sl_sm7_rv_phase_lanes(const struct sl_sm7_rv *rv, unsigned warp, unsigned phase);

/* For runs without timing: the live warps of the first block slot, as bits, whose phase may begin. */
uint64_t sl_sm7_rv_linear_ready(const struct sl_sm7_rv *rv, uint64_t live);

/* The instruction that replaces a prefix and the word after it, once the sums that it reads are in the warp's
 * registers. NULL: the warp cannot execute it. */
const struct sl_insn *sl_sm7_rv_linear_read(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t index);

/* Applies the prefix to the result, after execution. */
void sl_sm7_rv_linear_written(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t index);

/* Executes an instruction of the phases and advances the warp. False: the warp cannot execute it. */
bool sl_sm7_rv_linear_execute(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t index, uint32_t active);

/* Variants of kernels with linear registers in the code (compiler/linear/linear_form.h): selects the variant of a
 * launch, and provides the properties of its instructions to the SM core. */

/* Call it after sl_sm7_rv_launch. Selects the linear variant of the kernel if the machine has linear registers, the
 * code has that variant, and as many of its blocks fit on an SM. False: the variant is damaged, or out of memory; see
 * the fault. */
bool sl_sm7_rv_forms_choose(struct sl_sm7_rv *rv);

#endif
