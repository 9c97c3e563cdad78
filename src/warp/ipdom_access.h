/* Loads, stores and atomics of a warp.
 *
 * Of a warp's stores to one byte that of the last lane stays, as where lanes are served in order of their number.
 * Atomics are performed lane by lane in the same order. SC succeeds when the word still holds what the hart's LR has
 * read, whoever has written in between; any SC ends the hart's reservation. Local memory belongs to the core and is
 * never logged. */
#ifndef SL_CORE_WARP_MEMORY_H
#define SL_CORE_WARP_MEMORY_H

#include "warp/ipdom_execute.h"
#include "warp/store_log.h"

enum {
  SL_WARP_IO_BASE = 0x40, /* below: no memory */
  SL_WARP_IO_END = 0x10000,
  SL_WARP_CONSOLE_END = 0x80,
  SL_WARP_EXIT_CODE = 0x88
};

/* Performs the access of ex->insn and fills in ex->address, local and io. False: a fault, nothing was done. */
bool sl_warp_memory_access(struct sl_warps *w, unsigned warp, struct sl_warp_execution *ex);

/* Performs one logged store or atomic. */
void sl_warp_memory_perform(struct sl_warps *w, const struct sl_logged *entry);

#endif
