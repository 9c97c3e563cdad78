/* The program that simtlab linear -o writes: the file as it was, with a section more that has the forms of its kernels
 * with linear registers, one behind the other, and a symbol NAME$r2d2 for each. */
#ifndef SL_CLI_LINEAR_LINEAR_PROGRAM_H
#define SL_CLI_LINEAR_LINEAR_PROGRAM_H

#include "cli/linear/linear_input.h"

struct sl_linear_program_output;

enum sl_status sl_linear_program_open(struct sl_linear_program_output **output, const struct sl_linear_input *input,
                                      struct sl_error *err);

/* Adds a kernel. SL_USAGE: why it cannot be written so; the program is as it was. */
enum sl_status sl_linear_program_add(struct sl_linear_program_output *output, const struct sl_linear_kernel *kernel,
                                     struct sl_linear_plan *plan, struct sl_error *err);

/* The whole file, to be freed. */
enum sl_status sl_linear_program_bytes(const struct sl_linear_program_output *output, char **bytes, size_t *length,
                                       struct sl_error *err);

void sl_linear_program_free(struct sl_linear_program_output *output);

#endif
