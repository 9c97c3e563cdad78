/* Events that energy is spent on, and which counters of a machine count them (machine/energy_events.def). How much
 * energy is not the machine's business: that is a set of figures (config/energy_set.h). */
#ifndef SL_MACHINE_ENERGY_EVENTS_H
#define SL_MACHINE_ENERGY_EVENTS_H

#include <stddef.h>

enum sl_energy_event {
#define EVENT(id, name, meaning) SL_ENERGY_##id,
#include "machine/energy_events.def"
#undef EVENT
  SL_ENERGY_EVENTS
};

struct sl_energy_event_words {
  const char *name, *meaning;
};

extern const struct sl_energy_event_words sl_energy_events[SL_ENERGY_EVENTS];

/* A counter and what it counts, so many counts for an event; several may count parts of the same. Those of cycles and
 * of DRAM follow from cores and peaks of the machine. */
struct sl_energy_source {
  enum sl_energy_event event;
  const char *counter; /* NULL ends the list */
  unsigned per;
};

#endif
