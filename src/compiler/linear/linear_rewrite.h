/* Writes a kernel with linear registers (ptx/run/ptx_linear.h) as PTX text: the three phases that compute the registers
 * (linear_phases.h), then the remaining instructions in their original text, with the plan's operands. */
#ifndef SL_LINEAR_LINEAR_REWRITE_H
#define SL_LINEAR_LINEAR_REWRITE_H

#include <stdio.h>

#include "compiler/linear/linear_plan.h"
#include "ptx/ptx.h"

/* The original kernel. */
struct sl_linear_original {
  const struct sl_ptx_module *module;
  const struct sl_ptx_function *kernel;
  const char *text; /* text of the module */
  size_t length;
};

/* Writes the kernel NAME$r2d2. SL_USAGE: the message says why the kernel cannot be written; nothing has been
 * written. */
enum sl_status sl_linear_rewrite(FILE *out, struct sl_linear_plan *plan, const struct sl_linear_original *original,
                                 struct sl_error *err);

#endif
