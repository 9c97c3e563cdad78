/* Which functions a kernel in RV32 calls, as far as its code tells. */
#ifndef SL_LINEAR_LINEAR_CALLS_H
#define SL_LINEAR_LINEAR_CALLS_H

#include "linear/linear_rv32.h"

/* Whether a function that the kernel reaches by calls to addresses in the code calls itself, or one that calls it.
 * Functions end at jumps to addresses in registers. False: no memory. */
bool sl_linear_calls_recur(const struct sl_linear_machine_code *machine, bool *recurs);

#endif
