/* Validation of the checkpoint state of the event-driven memory path (base/validate.h). */
#ifndef SL_MEM_EVENTS_EVENTS_VALIDATE_H
#define SL_MEM_EVENTS_EVENTS_VALIDATE_H

#include "base/validate.h"
#include "mem/events/request_path.h"

/* Validates the state in cycle now. */
bool sl_scratchpad_events_valid(const struct sl_scratchpad_events *s, int64_t now, struct sl_shape shape);

/* Validates the state in cycle now; live is the machine's own path, which has the values of the keys. */
bool sl_request_path_valid(const struct sl_request_path *p, const struct sl_request_path *live, int64_t now,
                           struct sl_shape shape);

#endif
