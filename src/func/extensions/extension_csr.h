/* Accesses to the CSRs of a core's extensions. */
#ifndef SL_WARP_EXTENSION_CSR_H
#define SL_WARP_EXTENSION_CSR_H

#include "func/ipdom_execution.h"

/* Returns true if an extension has this CSR. */
bool sl_extension_has_csr(const struct sl_ipdom_warps *w, unsigned csr);

/* Executes a CSR instruction on it. Returns false if it is illegal; see the fault. */
bool sl_extension_access(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex);

/* Records an illegal use of an extension as a fault of the instruction. The message then names its source line. */
void sl_extension_illegal(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, uint32_t pc,
                          sl_lanes lanes, const char *what);

#endif
