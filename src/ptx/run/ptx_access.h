/* Loads, stores and atomics of a warp: the lanes' addresses, where they are in the host's memory, and what is moved. */
#ifndef SL_PTX_RUN_PTX_ACCESS_H
#define SL_PTX_RUN_PTX_ACCESS_H

#include "ptx/run/ptx_effect.h"
#include "ptx/run/ptx_late.h"

/* Performs an access on the active lanes of the effect, or puts it off if the block has a list for that, and fills in
 * its space, bytes and addresses. */
bool sl_ptx_access(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                   struct sl_ptx_fault *fault);

/* Performs what has been put off, in order. */
void sl_ptx_settle(struct sl_ptx_late *late);

#endif
