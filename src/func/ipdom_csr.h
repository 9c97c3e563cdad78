/* CSRs of a Vortex core: the maps of the published sources (2.x) and of the 1.x lineage. The last active lane of a warp
 * determines the value written. All lanes read the old value. */
#ifndef SL_WARP_IPDOM_CSR_H
#define SL_WARP_IPDOM_CSR_H

#include "func/ipdom_warps.h"

enum {
  SL_IPDOM_CSR_FFLAGS = 0x001,
  SL_IPDOM_CSR_FRM = 0x002,
  SL_IPDOM_CSR_FCSR = 0x003,
  SL_IPDOM_CSR_LOOPS = 0x800, /* to 0x8ff: hardware loops and streams */
};

/* Executes a CSR instruction. Returns false if the CSR does not exist; then nothing has changed. */
bool sl_ipdom_csr_access(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex);

/* Returns false if the CSR instruction reads the mask of active lanes and its 32 bits do not determine that mask: a
 * mask in a register says of lanes above 31 that they are as lane 31. No published core has so many lanes. */
bool sl_ipdom_csr_holds(const struct sl_ipdom_warps *w, const struct sl_ipdom_execution *ex);

/* Returns true if the CSR counts: time, instructions or events. */
bool sl_ipdom_csr_is_counter(unsigned csr);

/* Accesses to the CSRs of a core's extensions. */

/* Returns true if an extension has this CSR. */
bool sl_extension_has_csr(const struct sl_ipdom_warps *w, unsigned csr);

/* Executes a CSR instruction on it. Returns false if it is illegal; see the fault. */
bool sl_extension_access(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex);

/* Records an illegal use of an extension as a fault of the instruction. The message then names its source line. */
void sl_extension_illegal(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, uint32_t pc,
                          sl_lanes lanes, const char *what);

#endif
