/* What warp-control instructions do to the mask and the IPDOM stack of a warp.
 *
 * 2.x: SPLIT gives the depth of the stack in rd, pushes when lanes disagree, and lets the larger side go first, the
 * true side when both are as large; JOIN with that depth does nothing when nothing was pushed. 1.x: SPLIT always
 * pushes and JOIN always pops; the true side goes first, a predicate is true when it is not 0 (in 2.x: its bit 0), and
 * PRED keeps the mask when no lane goes on. Where one value is needed it is that of the last active lane. (Published
 * Verilog, commit b5f541b8, for 2.x; the authors' simulator of the 1.x lineage.) */
#ifndef SL_WARP_IPDOM_CONTROL_H
#define SL_WARP_IPDOM_CONTROL_H

#include "warp/ipdom_execution.h"

/* Performs an instruction of kind SL_KIND_WARP. */
enum sl_ipdom_effect sl_ipdom_control(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);

/* Records a fault of the active lanes. */
enum sl_ipdom_effect sl_ipdom_fault(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                                    enum sl_fault_kind kind, uint32_t address);

#endif
