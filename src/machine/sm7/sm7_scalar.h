/* Which instructions of a kernel the scalar pipeline of the machine that R2D2 (ISCA 2023) is compared with does: those
 * whose operands are known to be the same in all threads of a block before the kernel runs. These are numbers,
 * parameters, sizes, the block's index, and what is a linear combination of them (linear/linear_vectors.h). */
#ifndef SL_MACHINE_SM7_SCALAR_H
#define SL_MACHINE_SM7_SCALAR_H

#include "ptx/run/ptx_linear.h"

/* By PC of the module; to be freed also when this failed. Of a kernel that cannot be analysed no instruction is. */
enum sl_status sl_sm7_scalar_find(bool **scalar, const struct sl_ptx_launch *launch, struct sl_error *err);

#endif
