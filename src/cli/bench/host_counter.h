/* Counts the host's user-mode instructions of the calling thread with the processor's performance counter
 * (perf_event_open). Virtual machines often have no such counter. */
#ifndef SL_CLI_HOST_COUNTER_H
#define SL_CLI_HOST_COUNTER_H

#include "base/types.h"

struct sl_host_counter {
  int file; /* -1: not available */
};

/* Starts to count. The same thread must close the counter. */
struct sl_host_counter sl_host_counter_open(void);
void sl_host_counter_close(struct sl_host_counter *counter);

/* Reads the count so far. Returns false and leaves *instructions unchanged if there is no counter or the kernel
 * multiplexed it. */
bool sl_host_counter_read(const struct sl_host_counter *counter, uint64_t *instructions);

#endif
