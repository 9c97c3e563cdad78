/* Host speed (simtlab bench --speed): timed simulation, and execution without timing by either engine. A figure is the
 * geometric mean over benchmarks of the best of several runs. */
#ifndef SL_CLI_SPEED_H
#define SL_CLI_SPEED_H

#include "cli/bench/bench.h"

struct sl_speed_request {
  const struct sl_machine_choice *choice; /* NULL: one machine of each pipeline */
  const char *only;                       /* benchmarks; NULL: those that every machine runs unchanged */
  const char *json;                       /* file, "-" for standard output, or NULL */
  bool quiet;
};

/* Measures the machines in turn and prints the table. */
enum sl_status sl_bench_speed(const struct sl_speed_request *request, struct sl_error *err);

#endif
