/* Accesses to the CSRs of a core's extensions. */
#ifndef SL_WARP_EXTENSION_CSR_H
#define SL_WARP_EXTENSION_CSR_H

#include "warp/ipdom_execution.h"

/* Whether an extension has such a CSR. */
bool sl_extension_has_csr(const struct sl_ipdom_warps *w, unsigned csr);

/* Performs a CSR instruction on it. False: illegal, see the fault. */
bool sl_extension_access(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex);

/* Makes what an extension calls illegal a fault of the instruction, so that it is told with its source line. */
void sl_extension_illegal(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, uint32_t pc,
                          sl_lanes lanes, const char *what);

#endif
