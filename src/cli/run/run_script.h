/* simtlab run X.launch: a launch description of PTX kernels, with timing or without. */
#ifndef SL_CLI_RUN_SCRIPT_H
#define SL_CLI_RUN_SCRIPT_H

#include "cli/run/checkpoints.h"
#include "config/energy_set.h"

struct sl_script_options {
  const struct sl_machine_choice *choice;
  bool fast, quiet;
  bool others;        /* options were given that are for programs only */
  uint64_t limit;     /* of cycles per launch; without timing of warp instructions; 0: none */
  uint64_t threads;   /* of the host; 0: one */
  uint64_t registers; /* of a thread, for occupancy; 0: as the description says */
  const char *stats;  /* NULL: none */
  const struct sl_checkpoint_options *checkpoints;
  const struct sl_energy_set *energy; /* NULL: not asked for */
};

/* Runs it: sums on standard output, counts on standard error. */
enum sl_status sl_run_script(const char *path, const struct sl_script_options *options, struct sl_error *err);

#endif
