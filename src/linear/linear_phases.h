/* The text of the three phases before the rest of a kernel with linear registers: coefficients, the part of the thread,
 * the part of the block; and numbers of coefficient registers (R2D2, section 3.2). Numbers from 16 * s on are slice s,
 * one lane per linear register: slice 0 constants, the others what is multiplied with the block's index in each
 * dimension that occurs; then what the rest of the kernel adds, then what the part of the thread needs. */
#ifndef SL_LINEAR_LINEAR_PHASES_H
#define SL_LINEAR_LINEAR_PHASES_H

#include <stdio.h>

#include "linear/linear_plan.h"
#include "ptx/ptx.h"

/* What a register of r2.sum is: the operand's text of the plan. */
struct sl_linear_sum {
  struct sl_linear_source source;
  sl_poly coefficient; /* SL_POLY_ZERO: none */
  bool wide;
};

struct sl_linear_phases {
  struct sl_linear_plan *plan;
  const struct sl_ptx_function *kernel;
  const struct sl_linear_sum *sum;
  uint32_t sums;
};

/* The name of the register of sum i. */
enum { SL_LINEAR_SUM_NAME = 24 };
const char *sl_linear_sum_name(const struct sl_linear_sum *sum, uint32_t i, char name[SL_LINEAR_SUM_NAME]);

/* Declarations, and the phases. SL_USAGE: there are too many coefficients. */
enum sl_status sl_linear_phases_write(FILE *out, const struct sl_linear_phases *phases, struct sl_error *err);

#endif
