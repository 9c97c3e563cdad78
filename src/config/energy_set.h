/* A set of energies per event (machine/machine.h), from energy/ of the source tree or a custom YAML file.
 *
 * A file has `summary`, `source` and `picojoules`, a mapping of events to energies with at least one entry. An event
 * without an entry has an unknown energy, not 0.
 *
 * `watts` adds the power that does not follow from events (observe/energy/energy.h): `sms`, the SMs of the chip that
 * the figures are of; `constant`, of the whole board; `idle_sm`, of an SM without blocks; and for each kind of kernel
 * `KIND.first` and `KIND.further`, static power of the chip with one active lane per warp, and of each further lane. */
#ifndef SL_CONFIG_ENERGY_SET_H
#define SL_CONFIG_ENERGY_SET_H

#include "base/error.h"
#include "base/types.h"
#include "machine/machine.h"

/* Kinds of kernels by the instructions that they execute: POWER(id, name, meaning). */
enum sl_power_kind {
#define POWER(id, name, meaning) SL_POWER_##id,
#include "config/power_kinds.def"
#undef POWER
  SL_POWER_KINDS
};
extern const char *const sl_power_kinds[SL_POWER_KINDS];

struct sl_power_set {
  bool known; /* the set has `watts` */
  double sms, constant, idle_sm;
  double first[SL_POWER_KINDS], further[SL_POWER_KINDS];
};

struct sl_energy_set {
  char name[64], summary[192], source[192];
  bool known[SL_ENERGY_EVENTS];
  double picojoules[SL_ENERGY_EVENTS];
  struct sl_power_set power;
};

/* Built-in sets. */
size_t sl_energy_set_count(void);
const char *sl_energy_set_name(size_t i);

/* Opens a built-in set by name, or a file if the name contains a '/' or ends in .yaml. */
enum sl_status sl_energy_set_open(struct sl_energy_set *set, const char *name_or_file, struct sl_error *err);

#endif
