/* Call graph of an RV32 kernel, from direct calls in its code. */
#ifndef SL_LINEAR_LINEAR_CALLS_H
#define SL_LINEAR_LINEAR_CALLS_H

#include "linear/linear_rv32.h"

/* Whether a function that the kernel reaches by direct calls is recursive, directly or through others. Functions end at
 * indirect jumps. False: out of memory. */
bool sl_linear_calls_recur(const struct sl_linear_machine_code *machine, bool *recurs);

#endif
