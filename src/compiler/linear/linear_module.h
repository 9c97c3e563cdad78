/* Modules of PTX whose kernels gain variants with linear registers. */
#ifndef SL_LINEAR_LINEAR_MODULE_H
#define SL_LINEAR_LINEAR_MODULE_H

#include "compiler/linear/linear_rewrite.h"

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

#endif
