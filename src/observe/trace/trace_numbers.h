/* Numbers of 64-bit keys, in the order of their first use. */
#ifndef SL_OBSERVE_TRACE_TRACE_NUMBERS_H
#define SL_OBSERVE_TRACE_TRACE_NUMBERS_H

#include "base/types.h"

#define SL_NO_NUMBER UINT32_MAX

struct sl_numbers {
  uint64_t *keys;
  uint32_t *table; /* number + 1 by hash; 0: free */
  size_t count, room;
};

/* The number of a key; SL_NO_NUMBER: out of memory. */
uint32_t sl_number_of(struct sl_numbers *numbers, uint64_t key);

void sl_numbers_free(struct sl_numbers *numbers);

#endif
