/* Instructions that the calling thread executes on the computer itself, without those of the operating system: of the
 * processor's own counter, where there is one and it may be read. Virtual machines often have none. */
#ifndef SL_CLI_HOST_COUNTER_H
#define SL_CLI_HOST_COUNTER_H

#include "base/types.h"

struct sl_host_counter {
  int file; /* -1: none */
};

/* Counts from here on. To be closed by the same thread. */
struct sl_host_counter sl_host_counter_open(void);
void sl_host_counter_close(struct sl_host_counter *counter);

/* So far; false, with nothing in *instructions, when they are not known: there is no counter, or others have had it
 * meanwhile. */
bool sl_host_counter_read(const struct sl_host_counter *counter, uint64_t *instructions);

#endif
