/* Selects the instructions of a kernel that the scalar pipeline executes, on the baseline machine of R2D2 (ISCA 2023):
 * those whose operands are known before the run to be equal in all threads of a block. Such operands are constants,
 * parameters, sizes, the block index, and linear combinations of these (compiler/linear/linear_vectors.h). */
#ifndef SL_MACHINE_SM7_SCALAR_H
#define SL_MACHINE_SM7_SCALAR_H

#include "ptx/run/ptx_linear.h"

/* By PC of the module; the caller frees it, also after a failure. A kernel that cannot be analysed has none. */
enum sl_status sl_sm7_scalar_find(bool **scalar, const struct sl_ptx_launch *launch, struct sl_error *err);

#endif
