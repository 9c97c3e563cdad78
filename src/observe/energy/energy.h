/* Energy of a run: counts of the machine times the energies of a set, per event. Events that the machine does not
 * count, and events without a figure in the set, are listed separately and excluded from the sums.
 *
 * A coarse event and its parts are not both counted (machine/energy_events.def): the parts are, if the set has figures
 * for some of them. With power in the set and a clock in the machine, there are watts.
 *
 * JSON: set, summary, source, picojoules (sum of all known), watts, seconds (null without a clock), events {name
 * {count, picojoules_each, picojoules}}, not_counted [name ..] (by the machine), without_figure {name count} (in the
 * set). */
#ifndef SL_OBSERVE_ENERGY_H
#define SL_OBSERVE_ENERGY_H

#include <jansson.h>
#include <stdio.h>

#include "config/config.h"
#include "device/device.h"

struct sl_energy {
  const struct sl_energy_set *set;
  const char *machine;
  bool counted[SL_ENERGY_EVENTS], known[SL_ENERGY_EVENTS];
  double events[SL_ENERGY_EVENTS], each[SL_ENERGY_EVENTS], picojoules[SL_ENERGY_EVENTS];
  double total;   /* picojoules */
  double seconds; /* of simulated time; 0: the machine has no clock */
  double watts;   /* mean power; 0: unknown */
};

/* Computes the energy of timed counters, over all launches, in the machine's order. The set must outlive the result. */
void sl_energy_of(struct sl_energy *energy, const struct sl_energy_set *set, const struct sl_config *config,
                  const uint64_t *counters);

void sl_energy_of_launches(struct sl_energy *energy, const struct sl_energy_set *set, const struct sl_config *config,
                           const struct sl_launch *launches, size_t count);

void sl_energy_print(const struct sl_energy *energy, FILE *file);

/* NULL: out of memory; the caller drops the reference. */
json_t *sl_energy_json(const struct sl_energy *energy);

/* Power that does not follow from events: constant power of the board, idle SMs, and static power of active SMs, which
 * depends on the kinds of instructions of a kernel and on the active lanes of its warps (AccelWattch, MICRO 2021).
 *
 * Figures of a set are of a chip with `sms` SMs; an SM of another machine has one share of them. */

/* Energies of the events power.* in picojoules, from the counts of all events and the mean of active lanes. */
struct sl_power {
  enum sl_power_kind kind;
  double constant, idle, active;
};

#endif
