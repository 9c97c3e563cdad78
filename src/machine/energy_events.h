/* Energy events, and the counters of a machine that count them (machine/energy_events.def). A set of figures gives the
 * energy per event (config/energy_set.h). */
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

/* A counter and the event that it counts, with the number of counts per event. Several counters may count parts of one
 * event. Events of cycles and DRAM follow from the machine's cores and peaks. */
struct sl_energy_source {
  enum sl_energy_event event;
  const char *counter; /* NULL ends the list */
  unsigned per;
};

#endif
