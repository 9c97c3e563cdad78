/* What each mechanism of a machine is worth: the comparison with a real GPU again with one of them switched off. */
#ifndef SL_CLI_SILICON_MECHANISMS_H
#define SL_CLI_SILICON_MECHANISMS_H

#include "cli/options.h"
#include "cli/silicon/silicon.h"

struct sl_silicon_mechanism {
  const char *name, *keys;
  struct sl_config config;   /* without it */
  struct sl_silicon silicon; /* on that */
};

struct sl_silicon_mechanisms {
  const struct sl_silicon *with; /* all mechanisms */
  struct sl_silicon_mechanism *mechanism;
  size_t count;
};

/* Prepares a comparison for each mechanism that the machine has, which is one with a key that is not the default. */
enum sl_status sl_silicon_mechanisms_load(struct sl_silicon_mechanisms *m, const struct sl_silicon *with,
                                          const struct sl_machine_choice *choice, const char *only,
                                          struct sl_error *err);
void sl_silicon_mechanisms_free(struct sl_silicon_mechanisms *m);

/* After the runs. */
void sl_silicon_mechanisms_compare(struct sl_silicon_mechanisms *m);
void sl_silicon_mechanisms_print(const struct sl_silicon_mechanisms *m, FILE *file);
json_t *sl_silicon_mechanisms_json(const struct sl_silicon_mechanisms *m);

#endif
