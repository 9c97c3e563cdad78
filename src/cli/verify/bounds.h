/* Comparison within bounds, for machines whose recorded cycles a model approaches but does not match exactly. Whole
 * kernels compare cycles. Micro-programs compare the slope: the cycles per iteration of the copies that program NAME_b
 * has beyond NAME_a, which excludes startup and drain. Instruction counts must be equal. */
#ifndef SL_CLI_VERIFY_BOUNDS_H
#define SL_CLI_VERIFY_BOUNDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Absolute differences, in percent of the recorded value. */
struct sl_bounds {
  double kernel_mean, kernel_worst; /* whole kernels' cycles: mean, and each */
  double slope_worst;               /* each slope */
  size_t kernels;                   /* fewest recorded kernels for which the bound on the mean applies */
};

struct sl_bounded_value {
  double ours, recorded;
};

enum { SL_BOUNDED_INSTRUCTIONS = 2 }; /* instructions of warps and of threads */

struct sl_bounded_run {
  const char *name;
  bool kernel; /* a whole kernel, not a micro-program */
  bool failed; /* the run failed and has no values */
  struct sl_bounded_value cycles;
  struct sl_bounded_value instructions[SL_BOUNDED_INSTRUCTIONS];
};

/* Values of one kind; worst_name is the program with the largest difference, NULL if all are equal. */
struct sl_bounded_group {
  size_t count, equal, outside;
  double mean, worst;
  const char *worst_name;
};

struct sl_bounds_verdict {
  struct sl_bounded_group kernels, slopes;
  size_t failed;     /* number of programs */
  size_t miscounted; /* programs whose instruction counts differ */
  bool holds;
};

/* Signed, in percent of the recorded value. A difference from 0 is infinite. */
double sl_bounded_difference(struct sl_bounded_value value);

/* Whether an instruction count differs. */
bool sl_bounded_miscounts(const struct sl_bounded_run *run);

/* Slope of the pair whose NAME_b is run i. Returns false if run i is not a NAME_b, or if its NAME_a is missing or
 * failed. */
bool sl_bounded_slope(const struct sl_bounded_run *run, size_t count, size_t i, struct sl_bounded_value *slope);

/* Whether all runs are within the bounds (inclusive). */
struct sl_bounds_verdict sl_bounds_judge(const struct sl_bounds *bounds, const struct sl_bounded_run *run,
                                         size_t count);

/* Reports of simtlab verify for comparisons within bounds. */

/* Prints a row per kernel, per slope and per differing instruction count; `quiet`: only those out of bounds. A summary
 * follows. `machine` and `configuration` name the simulated and the recorded machine. */
void sl_verify_bounds_print(FILE *file, const char *machine, const char *configuration, const struct sl_bounds *bounds,
                            const struct sl_bounded_run *run, size_t count, bool quiet);

/* The same as a JSON object with "bounds", "kernels", "slopes", "miscounted", "failed" and "holds". */
json_t *sl_verify_bounds_json(const struct sl_bounds *bounds, const struct sl_bounded_run *run, size_t count);

/* One program: its values, and its slope if it has one. */
json_t *sl_bounded_run_json(const struct sl_bounded_run *run, size_t count, size_t i);

#endif
