/* Times of units that work out when things happen, instead of looking every cycle. */
#ifndef SL_BASE_EVENT_TIME_H
#define SL_BASE_EVENT_TIME_H

#include "base/types.h"

/* Not known yet, or never; a latency can be added. */
#define SL_NEVER (INT64_MAX / 2)

static inline int64_t sl_later(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

static inline int64_t sl_sooner(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

#endif
