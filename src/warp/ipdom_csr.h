/* CSRs of a Vortex core, in the map of the published sources (2.x) and that of the 1.x lineage. Of the lanes of a warp
 * the last active one decides what is written; all read what was there before. */
#ifndef SL_WARP_IPDOM_CSR_H
#define SL_WARP_IPDOM_CSR_H

#include "warp/ipdom_execution.h"

enum {
  SL_IPDOM_CSR_FFLAGS = 0x001,
  SL_IPDOM_CSR_FRM = 0x002,
  SL_IPDOM_CSR_FCSR = 0x003,
  SL_IPDOM_CSR_LOOPS = 0x800, /* to 0x8ff: hardware loops and streams */
};

/* Performs a CSR instruction. False: there is no such CSR, and nothing was done. */
bool sl_ipdom_csr_access(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex);

#endif
