/* Holds a kernel to its vectors: while a grid runs without time, what every linear instruction has computed is compared
 * with its vector, for each thread, block and iteration. */
#ifndef SL_LINEAR_LINEAR_CHECK_H
#define SL_LINEAR_LINEAR_CHECK_H

#include "linear/linear_follow.h"
#include "ptx/launch/ptx_play.h"

struct sl_linear_subject;

struct sl_linear_check {
  struct sl_linear_options options;
  struct sl_linear_tally tally;
  struct sl_linear_subject *subjects; /* kernels so far, a list */
};

/* The engine that runs grids and compares. The check is to be zero but for its options, and kept while it is used. */
struct sl_ptx_engine sl_linear_check_engine(struct sl_linear_check *check);
void sl_linear_check_free(struct sl_linear_check *check);

#endif
