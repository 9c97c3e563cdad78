/* simtlab silicon: the kernels of bench-v100/ on a machine, beside the figures of a real GPU (reference/silicon/). */
#ifndef SL_CLI_SILICON_H
#define SL_CLI_SILICON_H

#include <jansson.h>
#include <stdio.h>

#include "cli/options.h"
#include "config/config.h"
#include "device/device.h"

/* The published figures of a kernel. */
enum sl_silicon_figure {
#define FIGURE(id, name, plus, minus, identifies) SL_SILICON_##id,
#include "cli/silicon/silicon_figures.def"
#undef FIGURE
  SL_SILICON_FIGURES
};

extern const struct sl_silicon_words {
  const char *name, *plus, *minus; /* the machine's counters: plus, without minus ("": none) */
  bool identifies;                 /* a difference means that the kernel is another one */
} sl_silicon_figures[SL_SILICON_FIGURES];

/* Largest difference of the counters that identify a kernel, in percent. */
enum { SL_SILICON_SAME = 3 };

/* One launch script. */
struct sl_silicon_run {
  const char *name;
  enum sl_status code;
  struct sl_error error;
  uint64_t counters[SL_MAX_COUNTERS];
};

struct sl_silicon_kernel {
  const char *name, *suite;
  struct sl_silicon_run *runs;
  size_t count;
  double model[SL_SILICON_FIGURES], silicon[SL_SILICON_FIGURES]; /* means over the runs */
  double watts, silicon_watts;
  bool failed, same;
};

/* Absolute errors in percent. */
struct sl_silicon_errors {
  double mean, median;
  size_t count;
};

struct sl_silicon {
  const struct sl_config *config;
  struct sl_energy_set energies;
  json_t *record; /* reference/silicon/v100.json */
  struct sl_silicon_kernel *kernels;
  struct sl_silicon_run *runs;
  size_t count, run_count;
  struct sl_silicon_errors cycles, cycles_of_all, watts, watts_of_all; /* of the same kernels, and of all that ended */
};

/* Reads the record and selects the kernels whose name matches a shell pattern; NULL: those that are not long. */
enum sl_status sl_silicon_load(struct sl_silicon *silicon, const char *only, struct sl_error *err);
void sl_silicon_free(struct sl_silicon *silicon);

/* After the runs: computes the figures and the errors. */
void sl_silicon_compare(struct sl_silicon *silicon);

double sl_silicon_error(double model, double silicon);

/* ---- mechanisms -------------------------------------------------------------------------------------------------- */

/* What each mechanism of a machine is worth: the comparison with a real GPU again with one of them switched off. */

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

/* The title of a table with a row of the machine as it is, and the row of a mechanism, after their comparisons. */
void sl_silicon_mechanisms_title(const struct sl_silicon_mechanisms *m, FILE *file);
void sl_silicon_mechanism_print(const struct sl_silicon_mechanisms *m, size_t index, FILE *file);
json_t *sl_silicon_mechanisms_json(const struct sl_silicon_mechanisms *m);

#endif
