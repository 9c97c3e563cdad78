/* Loads, stores and atomics of a warp.
 *
 * Of a warp's stores to one byte that of the last lane stays, as where lanes are served in order of their number.
 * Atomics are performed lane by lane in the same order. SC succeeds when the word still holds what the hart's LR has
 * read, whoever has written in between; any SC ends the hart's reservation. Local memory belongs to the core and is
 * never logged. */
#ifndef SL_WARP_IPDOM_ACCESS_H
#define SL_WARP_IPDOM_ACCESS_H

#include "warp/ipdom_execution.h"
#include "warp/store_log.h"

enum {
  SL_IPDOM_IO_BASE = 0x40, /* below: no memory */
  SL_IPDOM_IO_END = 0x10000,
  SL_IPDOM_CONSOLE_END = 0x80,
  SL_IPDOM_EXIT_CODE = 0x88
};

/* Performs the access of ex->insn and fills in ex->address, local and io. False: a fault, nothing was done. */
bool sl_ipdom_access(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);

/* Performs what is in the core's log, in order, on memory and on its registers, and empties the log. */
void sl_ipdom_perform_log(struct sl_ipdom_warps *w);

/* The pc of the store that has made the instruction another one than the core would read there now; 0: none has. */
uint32_t sl_ipdom_overwrote(const struct sl_ipdom_warps *w, const struct sl_ipdom_execution *ex);

#endif
