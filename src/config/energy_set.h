/* A set of energies per event (machine/machine.h), from energy/ of the source tree or a custom YAML file.
 *
 * A file has `summary`, `source` and `picojoules`, a mapping of events to energies with at least one entry. An event
 * without an entry has an unknown energy, not 0. */
#ifndef SL_CONFIG_ENERGY_SET_H
#define SL_CONFIG_ENERGY_SET_H

#include "base/error.h"
#include "base/types.h"
#include "machine/machine.h"

struct sl_energy_set {
  char name[64], summary[192], source[192];
  bool known[SL_ENERGY_EVENTS];
  double picojoules[SL_ENERGY_EVENTS];
};

/* Built-in sets. */
size_t sl_energy_set_count(void);
const char *sl_energy_set_name(size_t i);

/* Opens a built-in set by name, or a file if the name contains a '/' or ends in .yaml. */
enum sl_status sl_energy_set_open(struct sl_energy_set *set, const char *name_or_file, struct sl_error *err);

#endif
