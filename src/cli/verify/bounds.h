/* Comparison within bounds: for machines whose recorded cycles a model comes near to, but does not meet exactly. Cycles
 * of whole kernels are compared as they are; of micro-programs the slope, cycles per iteration of the copies that
 * program NAME_b has more than NAME_a, which leaves start and end out. Numbers of instructions must be equal. */
#ifndef SL_CLI_BOUNDS_H
#define SL_CLI_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Absolute differences, in percent of what was recorded. */
struct sl_bounds {
  double kernel_mean, kernel_worst; /* of whole kernels' cycles: on average, and of each */
  double slope_worst;               /* of each slope */
  size_t kernels;                   /* recorded: of fewer the mean is not held against the bound */
};

struct sl_bounded_value {
  double ours, recorded;
};

enum { SL_BOUNDED_INSTRUCTIONS = 2 }; /* of warps, of threads */

struct sl_bounded_run {
  const char *name;
  bool kernel; /* a whole one, not a micro-program */
  bool failed; /* and has no values */
  struct sl_bounded_value cycles;
  struct sl_bounded_value instructions[SL_BOUNDED_INSTRUCTIONS];
};

/* Values of one kind; worst_name is that of the program with the greatest difference, NULL when all are equal. */
struct sl_bounded_group {
  size_t count, equal, outside;
  double mean, worst;
  const char *worst_name;
};

struct sl_bounds_verdict {
  struct sl_bounded_group kernels, slopes;
  size_t failed;     /* programs */
  size_t miscounted; /* programs with another number of instructions */
  bool holds;
};

/* Signed, in percent of what was recorded. Of 0, any difference is infinite. */
double sl_bounded_difference(struct sl_bounded_value value);

/* Whether a number of instructions differs. */
bool sl_bounded_miscounts(const struct sl_bounded_run *run);

/* The slope of the pair whose NAME_b run i is; false when it is none, or its NAME_a is not there or has failed. */
bool sl_bounded_slope(const struct sl_bounded_run *run, size_t count, size_t i, struct sl_bounded_value *slope);

/* All runs against the bounds, which are inclusive. */
struct sl_bounds_verdict sl_bounds_judge(const struct sl_bounds *bounds, const struct sl_bounded_run *run,
                                         size_t count);

#endif
