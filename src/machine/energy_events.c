#include "machine/energy_events.h"

const struct sl_energy_event_words sl_energy_events[SL_ENERGY_EVENTS] = {
#define EVENT(id, name, meaning) {name, meaning},
#include "machine/energy_events.def"
#undef EVENT
};
