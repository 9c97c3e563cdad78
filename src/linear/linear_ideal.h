/* How many thread instructions ideal machines would execute that do nothing twice (R2D2, section 2 and Fig. 4), counted
 * while the grids of a launch description run without time.
 *
 * WP: a warp does once what all its active lanes would do with the same operands. TB: a warp leaves out what a warp of
 * its block has done before it, at the same instruction, as often there, with the same lanes and operands. Both are of
 * values (ptx/oracle/ptx_sight.h), which are arithmetic, predicates, moves and parameters, and of loads if these are
 * asked for: by address for WP, by address and what is there for TB.
 *
 * LN: linear instructions are gone. Coefficients are computed once per launch, with one lane; the threads' part by one
 * block per launch, an instruction for each dimension and thread; the block's part by each block, one for each
 * dimension and one for the constant; registers that grow in loops are written once per warp and iteration, copies by
 * all active lanes. */
#ifndef SL_LINEAR_LINEAR_IDEAL_H
#define SL_LINEAR_LINEAR_IDEAL_H

#include "linear/linear_code.h"
#include "linear/linear_vectors.h"
#include "ptx/launch/ptx_play.h"

/* Thread instructions. */
struct sl_linear_ideals {
  uint64_t base, wp, tb, ln;
};

struct sl_linear_ideal_kernel {
  struct sl_linear_ideal_kernel *next;
  const struct sl_ptx_function *function; /* while the module lasts */
  char name[SL_PTX_NAME];
  uint64_t launches;
  struct sl_linear_ideals counts;
  char refusal[SL_LINEAR_REFUSAL]; /* why it cannot be analysed, so that LN is as it was; empty: it can */
  struct sl_linear_ideal_subject *subject;
};

/* To be zero but for the first two. */
struct sl_linear_ideal {
  struct sl_linear_options options;
  bool loads;
  struct sl_linear_ideal_kernel *kernels; /* in the order of their first launches */
  struct sl_linear_ideals sum;
};

/* The engine that runs grids and counts; `ideal` is kept while it is used. */
struct sl_ptx_engine sl_linear_ideal_engine(struct sl_linear_ideal *ideal);
void sl_linear_ideal_free(struct sl_linear_ideal *ideal);

#endif
