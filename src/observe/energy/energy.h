/* The energy of a run: what a machine has counted, times the energies of a set, event by event. Events that the machine
 * does not count, and those that the set has no figure for, are in no sum, and are named.
 *
 * As JSON: set, summary, source, picojoules (all that is known), events {name {count, picojoules_each, picojoules}},
 * not_counted [name ..] (by the machine), without_figure {name count} (in the set). */
#ifndef SL_OBSERVE_ENERGY_H
#define SL_OBSERVE_ENERGY_H

#include <jansson.h>
#include <stdio.h>

#include "config/config.h"
#include "config/energy_set.h"
#include "gpu/device.h"

struct sl_energy {
  const struct sl_energy_set *set;
  const char *machine;
  bool counted[SL_ENERGY_EVENTS];
  double events[SL_ENERGY_EVENTS], picojoules[SL_ENERGY_EVENTS];
  double total; /* picojoules */
};

/* Of counters with timing, over all launches, in the machine's order. The set stays where it is. */
void sl_energy_of(struct sl_energy *energy, const struct sl_energy_set *set, const struct sl_config *config,
                  const uint64_t *counters);

void sl_energy_of_launches(struct sl_energy *energy, const struct sl_energy_set *set, const struct sl_config *config,
                           const struct sl_launch *launches, size_t count);

void sl_energy_print(const struct sl_energy *energy, FILE *file);

/* NULL without memory; the caller drops the reference. */
json_t *sl_energy_json(const struct sl_energy *energy);

#endif
