/* The program that simtlab linear -o writes: the original file plus a section. The section holds the kernels with
 * linear registers, and a symbol NAME$r2d2 for each. */
#ifndef SL_CLI_LINEAR_LINEAR_PROGRAM_H
#define SL_CLI_LINEAR_LINEAR_PROGRAM_H

#include "cli/linear/linear_input.h"

struct sl_linear_program_output;

enum sl_status sl_linear_program_open(struct sl_linear_program_output **output, const struct sl_linear_input *input,
                                      struct sl_error *err);

/* Adds a kernel. SL_USAGE: the kernel cannot be encoded; the program is unchanged. */
enum sl_status sl_linear_program_add(struct sl_linear_program_output *output, const struct sl_linear_kernel *kernel,
                                     struct sl_linear_plan *plan, struct sl_error *err);

/* The whole file; the caller frees it. */
enum sl_status sl_linear_program_bytes(const struct sl_linear_program_output *output, char **bytes, size_t *length,
                                       struct sl_error *err);

void sl_linear_program_free(struct sl_linear_program_output *output);

#endif
