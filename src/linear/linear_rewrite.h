/* The kernel with linear registers (ptx/run/ptx_linear.h) as PTX text: what is left of a kernel by its plan, as it was
 * written, with the operands that the plan says, behind the three phases that compute the registers (linear_phases.h).
 */
#ifndef SL_LINEAR_LINEAR_REWRITE_H
#define SL_LINEAR_LINEAR_REWRITE_H

#include <stdio.h>

#include "linear/linear_plan.h"
#include "ptx/ptx.h"

/* What it was made of. */
struct sl_linear_original {
  const struct sl_ptx_module *module;
  const struct sl_ptx_function *kernel;
  const char *text; /* of the module */
  size_t length;
};

/* Writes the kernel NAME$r2d2. SL_USAGE: a sentence why it cannot be written so; nothing has been written then. */
enum sl_status sl_linear_rewrite(FILE *out, struct sl_linear_plan *plan, const struct sl_linear_original *original,
                                 struct sl_error *err);

#endif
