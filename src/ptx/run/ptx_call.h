/* Calls with copied arguments, and the frames and registers of call levels. */
#ifndef SL_PTX_RUN_PTX_CALL_H
#define SL_PTX_RUN_PTX_CALL_H

#include "ptx/run/ptx_access.h"

/* Selects frame and registers of the top of the stack. */
void sl_ptx_level(struct sl_ptx_warp *w);

/* Executes a call of kind COPIED or ADDRESS. Lanes that call different functions do so one function after another.
 * False: a fault. */
bool sl_ptx_call(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                 struct sl_ptx_fault *fault);

/* Copies the results of lanes that are about to return. */
void sl_ptx_call_results(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t lanes);

/* Performs alloca and its like, whose addresses are in local memory. False: the stack is full, or the address is not in
 * it; see the fault. */
bool sl_ptx_stack(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint32_t active, struct sl_ptx_fault *fault);

#endif
