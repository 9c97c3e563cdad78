/* Loads, stores and atomics of a warp in a Vortex core.
 *
 * When lanes store to the same byte, the last lane wins: lanes are served in order of their number. Atomics execute
 * lane by lane in the same order. SC succeeds if the word still holds the value that the hart's LR read, whichever hart
 * has written it since. Any SC ends the hart's reservation. Local memory belongs to the core and its stores are not
 * logged. */
#ifndef SL_WARP_IPDOM_ACCESS_H
#define SL_WARP_IPDOM_ACCESS_H

#include "base/livelock.h"
#include "base/types.h"
#include "func/ipdom_warps.h"

/* Store log of a core: the stores and atomics of one quantum, in order of execution (struct sl_store_log in
 * ipdom_warps.h). Cores simulate a quantum in parallel.
 *
 * A core sees memory through its log. The log gives the bytes that the core has stored itself. For an atomic it gives
 * the word as if no other core had accessed it. The actual result and the value of rd are known when the log is
 * applied. */
struct sl_store_log;

/* Returns NULL if the host is out of memory. */
struct sl_store_log *sl_store_log_create(void);
void sl_store_log_free(struct sl_store_log *log);

bool sl_store_log_empty(const struct sl_store_log *log);

enum {
  SL_IPDOM_IO_BASE = 0x40, /* no memory below this */
  SL_IPDOM_IO_END = 0x10000,
  SL_IPDOM_CONSOLE_END = 0x80,
  SL_IPDOM_EXIT_CODE = 0x88
};

/* Performs the access of ex->insn. Sets ex->address, local and io. Returns false on a fault; then nothing has changed.
 */
bool sl_ipdom_access(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);

/* Notes the bytes that a store, atomic or SC of the active lanes will write. Returns false if it faults, if it is seen
 * outside of memory (I/O, code), or if a lane's bytes are not aligned. */
bool sl_ipdom_targets(const struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                      struct sl_trial_writes *writes);

/* Applies the core's store log, in order, to memory and to the core's registers. Empties the log. */
void sl_ipdom_perform_log(struct sl_ipdom_warps *w);

/* Returns the pc of the store that has overwritten this instruction in the core's view of memory; 0 if none has. */
uint32_t sl_ipdom_overwrote(const struct sl_ipdom_warps *w, const struct sl_ipdom_execution *ex);

#endif
