/* A quantity over time. value[i] is its maximum in cycles i * period to (i + 1) * period - 1 since the start of the
 * launch. When the series is full, neighbours merge and the period doubles. */
#ifndef SL_BASE_SERIES_H
#define SL_BASE_SERIES_H

#include "base/types.h"

enum { SL_SERIES_SIZE = 256 };

struct sl_series {
  uint64_t period;
  unsigned count;
  uint16_t value[SL_SERIES_SIZE];
};

#endif
