/* Dynamic check of the coefficient vectors: while a grid runs without timing, the checker compares the result of every
 * linear instruction with its vector, for each thread, block and iteration. */
#ifndef SL_LINEAR_LINEAR_CHECK_H
#define SL_LINEAR_LINEAR_CHECK_H

#include "compiler/linear/linear_follow.h"
#include "ptx/run/ptx_grid.h"

struct sl_linear_subject;

struct sl_linear_check {
  struct sl_linear_options options;
  struct sl_linear_tally tally;
  struct sl_linear_subject *subjects; /* linked list of the kernels so far */
};

/* Returns the engine that runs grids and compares. *check must be zero except for its options, and must outlive the
 * engine. */
struct sl_ptx_engine sl_linear_check_engine(struct sl_linear_check *check);
void sl_linear_check_free(struct sl_linear_check *check);

#endif
