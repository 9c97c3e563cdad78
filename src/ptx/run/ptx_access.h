/* Loads, stores and atomics of a warp: computes the lanes' addresses, finds them in the host's memory, and moves the
 * data. */
#ifndef SL_PTX_RUN_PTX_ACCESS_H
#define SL_PTX_RUN_PTX_ACCESS_H

#include "ptx/run/ptx_effect.h"
#include "ptx/run/ptx_late.h"

/* Performs an access on the active lanes of the effect, and sets its space, bytes and addresses. If the block has a
 * list for deferred accesses, the access is deferred. */
bool sl_ptx_access(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                   struct sl_ptx_fault *fault);

/* Performs the deferred accesses in order. */
void sl_ptx_settle(struct sl_ptx_late *late);

#endif
