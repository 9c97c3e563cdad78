/* Warp-control instructions: their effect on a warp's thread mask and IPDOM stack.
 *
 * 2.x: SPLIT writes the stack depth to rd and pushes if the lanes disagree. The larger side runs first; on a tie, the
 * true side. JOIN with that depth does nothing if SPLIT pushed nothing. A predicate is bit 0 of its register.
 *
 * 1.x: SPLIT always pushes and JOIN always pops. The true side runs first. A predicate is true if its register is not
 * 0. PRED keeps the mask if no lane would remain.
 *
 * An operand that is one value per warp comes from the last active lane. Sources: published Verilog, commit b5f541b8
 * (2.x); the authors' simulator (1.x). */
#ifndef SL_WARP_IPDOM_CONTROL_H
#define SL_WARP_IPDOM_CONTROL_H

#include "func/ipdom_execution.h"

/* Executes an instruction of kind SL_KIND_WARP. */
enum sl_ipdom_effect sl_ipdom_control(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);

/* Records a fault of the active lanes. */
enum sl_ipdom_effect sl_ipdom_fault(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                                    enum sl_fault_kind kind, uint32_t address);

#endif
