/* Whether the state of the memory path by events can be what a file says (base/sound.h). */
#ifndef SL_MEM_EVENTS_EVENTS_SOUND_H
#define SL_MEM_EVENTS_EVENTS_SOUND_H

#include "base/sound.h"
#include "mem/events/request_path.h"

/* In cycle now. */
bool sl_scratchpad_events_sound(const struct sl_scratchpad_events *s, int64_t now, struct sl_shape shape);

/* In cycle now; live is that of the machine, for what follows from the keys. */
bool sl_request_path_sound(const struct sl_request_path *p, const struct sl_request_path *live, int64_t now,
                           struct sl_shape shape);

#endif
