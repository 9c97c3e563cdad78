/* Writes a kernel with linear registers (ptx/run/ptx_linear.h) as PTX text: the three phases that compute the
 * registers, then the remaining instructions in their original text, with the plan's operands. */
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

/* Modules of PTX whose kernels gain variants with linear registers. */

/* Text of a module; the caller frees `text`. */
struct sl_linear_module {
  char *text;
  size_t length;
};

/* Appends the variant of a kernel, and parses the module again: names may occur twice. `path`: for messages. SL_USAGE:
 * the kernel cannot be written; the module is unchanged. */
enum sl_status sl_linear_module_add(struct sl_linear_module *module, const char *path,
                                    const struct sl_ptx_module *original, const struct sl_ptx_function *kernel,
                                    struct sl_linear_plan *plan, struct sl_error *err);

/* Creates a module from a text, with variants of all kernels that can have them. */
enum sl_status sl_linear_module_rewrite(struct sl_linear_module *module, const char *path, const char *text,
                                        size_t length, struct sl_error *err);

/* Text of the three phases before the rest of a kernel with linear registers: coefficients, thread part, block part
 * (R2D2, section 3.2). */

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
