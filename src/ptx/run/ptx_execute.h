/* Execution of PTX without time, one instruction of a warp at a time.
 *
 * sl_ptx_execute performs the instruction that is on top of a warp's stack on all its lanes, moves the stack on, and
 * tells what happened; functional runs and the timing model call the same function, the latter at issue. */
#ifndef SL_PTX_RUN_PTX_EXECUTE_H
#define SL_PTX_RUN_PTX_EXECUTE_H

#include "ptx/run/ptx_effect.h"

/* Performs the next instruction of a warp that has lanes left, at time `clock` (what %clock reads). What lanes do is
 * visible at once. False: *fault says what went wrong. */
bool sl_ptx_execute(struct sl_ptx_warp *w, uint64_t clock, struct sl_ptx_effect *effect, struct sl_ptx_fault *fault);

#endif
