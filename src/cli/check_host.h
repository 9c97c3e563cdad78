/* simtlab check on a program of the host, which launches its kernels through the runtimes for CUDA and OpenCL. */
#ifndef SL_CLI_CHECK_HOST_H
#define SL_CLI_CHECK_HOST_H

#include "cli/options.h"

struct sl_check_host {
  const char *machine, *json, *suppress; /* NULL: not given */
  const char *program;                   /* the file to run, if it is not operands->items[0] */
  uint64_t schedules, max_cycles;
  bool timed, leaks, no_uninitialised, equal, strict_barriers, quiet;
};

/* Runs the program with the runtimes' checker, once and in the order of each seed. SL_CHECK_FAILED: it has findings,
 * or fails itself. */
enum sl_status sl_check_host(const struct sl_check_host *host, const struct sl_operands *operands,
                             struct sl_error *err);

#endif
