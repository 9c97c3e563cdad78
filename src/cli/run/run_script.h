/* simtlab run X.launch: runs a launch script of PTX kernels, with or without timing. */
#ifndef SL_CLI_RUN_SCRIPT_H
#define SL_CLI_RUN_SCRIPT_H

#include "cli/run/checkpoints.h"
#include "config/energy_set.h"

struct sl_script_options {
  const struct sl_machine_choice *choice;
  bool fast, quiet;
  bool others;        /* options were given that apply to programs only */
  uint64_t limit;     /* per launch, in cycles, or in warp instructions without timing; 0: none */
  uint64_t threads;   /* host threads; 0: one */
  uint64_t registers; /* registers per thread, for occupancy; 0: as the script says */
  const char *stats;  /* NULL: none */
  const struct sl_checkpoint_options *checkpoints;
  const struct sl_energy_set *energy; /* NULL: not requested */
};

/* Runs the script: checksums go to standard output, counts to standard error. */
enum sl_status sl_run_script(const char *path, const struct sl_script_options *options, struct sl_error *err);

#endif
