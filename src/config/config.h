/* A machine configuration: a pipeline and a value for each of its keys. Values come from a preset or a YAML file, then
 * from --set.
 *
 * A file has the keys `machine` (a pipeline's name), `summary`, and `keys`, a mapping in which nesting and dots are
 * equivalent (`dram: {latency: 30}` is `dram.latency: 30`). `base: NAME` starts from another machine. Errors name file,
 * line and the nearest valid key. YAML is read with libyaml. */
#ifndef SL_CONFIG_CONFIG_H
#define SL_CONFIG_CONFIG_H

#include "base/error.h"
#include "base/types.h"
#include "machine/machine.h"

struct sl_config {
  char name[64];
  char summary[160];
  const struct sl_machine *machine;
  void *spec; /* machine->spec_size bytes */
};

/* Built-in presets, from machines/ of the source tree. */
size_t sl_preset_count(void);
const char *sl_preset_name(size_t i);
enum sl_status sl_config_open_preset(struct sl_config *config, size_t i, struct sl_error *err);

/* Gets a key's value; returns false if the machine has no such key. */
bool sl_config_value(const struct sl_config *config, const char *key, uint32_t *value);

/* Opens a preset or a custom machine by name, or a YAML file if the name contains a '/' or ends in
 * .yaml. */
enum sl_status sl_config_open(struct sl_config *config, const char *name_or_file, struct sl_error *err);

/* Opens a configuration from text. Messages use `origin` as the file name. */
enum sl_status sl_config_parse(struct sl_config *config, const char *origin, const char *text, size_t size,
                               struct sl_error *err);

/* Applies "key=value". */
enum sl_status sl_config_set(struct sl_config *config, const char *assignment, struct sl_error *err);

/* Checks the rules that concern several keys. Call it when all keys are set. */
enum sl_status sl_config_check(const struct sl_config *config, struct sl_error *err);

void sl_config_close(struct sl_config *config);

/* Custom machines by name: NAME.yaml in a folder of the environment variable SIMTLAB_MACHINES, a colon-separated list.
 * The first folder with such a file counts. */

enum { SL_MACHINE_PATH = 4096, SL_MACHINE_NAME = 256 };

/* Finds the file of a name; returns false if there is none. */
bool sl_machine_file(const char *name, char path[SL_MACHINE_PATH]);

struct sl_machine_file {
  char name[SL_MACHINE_NAME];
  const char *folder;
  bool hidden; /* an earlier folder has a file of the same name */
};

struct sl_machine_files {
  char *folders; /* the list's text; folder names are zero-terminated in it */
  struct sl_machine_file *file;
  size_t count;
};

/* Reads all custom machines, sorted by name. SL_USAGE: a folder cannot be read; the machines of the other folders are
 * there. Call sl_machine_files_free in either case. */
enum sl_status sl_machine_files_read(struct sl_machine_files *files, struct sl_error *err);
void sl_machine_files_free(struct sl_machine_files *files);

/* A set of energies per event (machine/machine.h), from energy/ of the source tree or a custom YAML file.
 *
 * A file has `summary`, `source` and `picojoules`, a mapping of events to energies with at least one entry. An event
 * without an entry has an unknown energy, not 0.
 *
 * `watts` adds the power that does not follow from events (observe/energy/energy.h): `sms`, the SMs of the chip that
 * the figures are of; `constant`, of the whole board; `idle_sm`, of an SM without blocks; and for each kind of kernel
 * `KIND.first` and `KIND.further`, static power of the chip with one active lane per warp, and of each further lane. */

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
