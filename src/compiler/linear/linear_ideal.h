/* Counts the thread instructions of ideal redundancy-elimination machines (R2D2, section 2 and Fig. 4), while the grids
 * of a launch script run without timing.
 *
 * WP: a warp executes an instruction once if all its active lanes have the same operands. TB: a warp skips an
 * instruction that a warp of its block has executed before, at the same occurrence count, with the same lanes and
 * operands. Both cover values (ptx/oracle/ptx_oracle.h): arithmetic, predicates, moves and parameters. On request
 * they also cover loads: WP by address, TB by address and memory contents.
 *
 * LN: linear instructions are eliminated. One lane computes the coefficients, once per launch. One block per launch
 * computes the thread part, with one instruction per dimension and thread. Each block computes its block part, with one
 * instruction per dimension and one for the constant. Each warp writes registers that grow in loops once per iteration;
 * all active lanes execute copies. */
#ifndef SL_LINEAR_LINEAR_IDEAL_H
#define SL_LINEAR_LINEAR_IDEAL_H

#include "compiler/linear/linear_code.h"
#include "compiler/linear/linear_vectors.h"
#include "ptx/run/ptx_grid.h"

/* Thread instructions. */
struct sl_linear_ideals {
  uint64_t base, wp, tb, ln;
};

struct sl_linear_ideal_kernel {
  struct sl_linear_ideal_kernel *next;
  const struct sl_ptx_function *function; /* valid while the module exists */
  char name[SL_PTX_NAME];
  uint64_t launches;
  struct sl_linear_ideals counts;
  char refusal[SL_LINEAR_REFUSAL]; /* reason why it cannot be analysed (LN then equals the original count); empty: it
                                      can */
  struct sl_linear_ideal_subject *subject;
};

/* Must be zero except for the first two members. */
struct sl_linear_ideal {
  struct sl_linear_options options;
  bool loads;
  struct sl_linear_ideal_kernel *kernels; /* in the order of their first launches */
  struct sl_linear_ideals sum;
};

/* Returns the engine that runs grids and counts; `ideal` must outlive it. */
struct sl_ptx_engine sl_linear_ideal_engine(struct sl_linear_ideal *ideal);
void sl_linear_ideal_free(struct sl_linear_ideal *ideal);

#endif
