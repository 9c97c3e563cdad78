/* Output of simtlab linear -o. A module keeps its text and gains the kernels with linear registers. A program keeps its
 * file and gains a section. */
#ifndef SL_CLI_LINEAR_LINEAR_OUTPUT_H
#define SL_CLI_LINEAR_LINEAR_OUTPUT_H

#include "cli/linear/linear_input.h"

struct sl_linear_output {
  const char *path;
  char *text; /* a module's text so far */
  size_t length;
  struct sl_linear_program_output *program; /* NULL: a module */
};

/* Starts with the text of `input`. */
enum sl_status sl_linear_output_open(struct sl_linear_output *output, const char *path,
                                     const struct sl_linear_input *input, struct sl_error *err);

/* Adds a kernel. SL_USAGE: the kernel cannot be encoded; the module is unchanged. */
enum sl_status sl_linear_output_add(struct sl_linear_output *output, const struct sl_linear_input *input,
                                    const struct sl_linear_kernel *kernel, struct sl_linear_plan *plan,
                                    struct sl_error *err);

enum sl_status sl_linear_output_write(const struct sl_linear_output *output, struct sl_error *err);

void sl_linear_output_close(struct sl_linear_output *output);

#endif
