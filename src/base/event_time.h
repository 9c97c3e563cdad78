/* Times of event-driven units, which compute when events happen instead of checking every cycle. */
#ifndef SL_BASE_EVENT_TIME_H
#define SL_BASE_EVENT_TIME_H

#include "base/types.h"

/* Unknown or never. Adding a latency does not overflow. */
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
