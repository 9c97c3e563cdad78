/* Power that does not follow from events: constant power of the board, idle SMs, and static power of active SMs, which
 * depends on the kinds of instructions of a kernel and on the active lanes of its warps (AccelWattch, MICRO 2021).
 *
 * Figures of a set are of a chip with `sms` SMs; an SM of another machine has one share of them. */
#ifndef SL_OBSERVE_POWER_H
#define SL_OBSERVE_POWER_H

#include "config/config.h"
#include "config/energy_set.h"

/* Energies of the events power.* in picojoules, from the counts of all events and the mean of active lanes. */
struct sl_power {
  enum sl_power_kind kind;
  double constant, idle, active;
};
struct sl_power sl_power_of(const struct sl_power_set *set, const double events[SL_ENERGY_EVENTS], double lanes,
                            double clock_mhz);

#endif
