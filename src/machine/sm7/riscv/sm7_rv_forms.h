/* The forms of kernels with linear registers that are in the code (linear/linear_form.h): which a launch runs, and what
 * the SM core must know of their instructions. */
#ifndef SL_MACHINE_SM7_RV_FORMS_H
#define SL_MACHINE_SM7_RV_FORMS_H

#include "machine/sm7/riscv/sm7_rv_warps.h"

/* After sl_sm7_rv_launch: chooses the other form of the kernel, if the machine has linear registers, the code has that
 * form, and as many blocks of it fit on an SM. False: the form is damaged, or there is no memory; see the fault. */
bool sl_sm7_rv_forms_choose(struct sl_sm7_rv *rv);

#endif
