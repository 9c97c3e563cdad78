/* What this computer does (simtlab bench --speed): how fast it simulates machines in time, and executes their programs
 * without timing by either engine. A figure is the geometric mean over benchmarks of the best of several runs. */
#ifndef SL_CLI_SPEED_H
#define SL_CLI_SPEED_H

#include "cli/bench/bench.h"

struct sl_speed_request {
  const struct sl_machine_choice *choice; /* NULL: one machine of each kind */
  const char *only;                       /* benchmarks, NULL: those that every machine runs as it is */
  const char *json;                       /* file, "-" for standard output, or NULL */
  bool quiet;
};

/* Measures, one after another, and prints the table. */
enum sl_status sl_bench_speed(const struct sl_speed_request *request, struct sl_error *err);

#endif
