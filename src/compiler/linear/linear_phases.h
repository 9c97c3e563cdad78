/* Text of the three phases before the rest of a kernel with linear registers: coefficients, thread part, block part.
 * linear_coefficients.h numbers the coefficient registers (R2D2, section 3.2). */
#ifndef SL_LINEAR_LINEAR_PHASES_H
#define SL_LINEAR_LINEAR_PHASES_H

#include <stdio.h>

#include "compiler/linear/linear_plan.h"
#include "ptx/ptx.h"

/* A register of r2.sum: the text of the plan's operand. */
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

/* Writes the name of the register of sum i. */
enum { SL_LINEAR_SUM_NAME = 24 };
const char *sl_linear_sum_name(const struct sl_linear_sum *sum, uint32_t i, char name[SL_LINEAR_SUM_NAME]);

/* Writes declarations and phases. SL_USAGE: there are too many coefficients. */
enum sl_status sl_linear_phases_write(FILE *out, const struct sl_linear_phases *phases, struct sl_error *err);

#endif
