/* Variants of kernels with linear registers in the code (compiler/linear/linear_form.h): selects the variant of a
 * launch, and provides the properties of its instructions to the SM core. */
#ifndef SL_MACHINE_SM7_RV_FORMS_H
#define SL_MACHINE_SM7_RV_FORMS_H

#include "machine/sm7/riscv/sm7_rv_warps.h"

/* Call it after sl_sm7_rv_launch. Selects the linear variant of the kernel if the machine has linear registers, the
 * code has that variant, and as many of its blocks fit on an SM. False: the variant is damaged, or out of memory; see
 * the fault. */
bool sl_sm7_rv_forms_choose(struct sl_sm7_rv *rv);

#endif
