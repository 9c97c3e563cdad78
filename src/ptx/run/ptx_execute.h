/* Functional execution of PTX, one instruction of one warp at a time.
 *
 * sl_ptx_execute performs the instruction on top of a warp's stack on all its lanes, advances the stack, and reports
 * the effect. Functional runs and the timing model call the same function; the timing model calls it at issue. */
#ifndef SL_PTX_RUN_PTX_EXECUTE_H
#define SL_PTX_RUN_PTX_EXECUTE_H

#include "ptx/run/ptx_access.h"
#include "ptx/run/ptx_block.h"

/* Performs the next instruction of a warp with live lanes, at time `clock` (the value of %clock). Effects are visible
 * at once. False: *fault describes the fault. */
bool sl_ptx_execute(struct sl_ptx_warp *w, uint64_t clock, struct sl_ptx_effect *effect, struct sl_ptx_fault *fault);

/* Performs an instruction that changes only registers, of kinds LANES, CONDITION, SET, LOGIC, PACK, UNPACK, SHFL, VOTE,
 * REDUX, and MATCH, and does not advance the stack. */
void sl_ptx_execute_lanes(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active);

#endif
