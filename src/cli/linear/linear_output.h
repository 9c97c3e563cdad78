/* The module that simtlab linear -o writes: the text as it was, and behind it the kernels with linear registers. Of a
 * program, its file with a section more. */
#ifndef SL_CLI_LINEAR_LINEAR_OUTPUT_H
#define SL_CLI_LINEAR_LINEAR_OUTPUT_H

#include "cli/linear/linear_input.h"

struct sl_linear_output {
  const char *path;
  char *text; /* so far, of a module */
  size_t length;
  struct sl_linear_program_output *program; /* NULL: of a module */
};

/* Begins with the text of `input`. */
enum sl_status sl_linear_output_open(struct sl_linear_output *output, const char *path,
                                     const struct sl_linear_input *input, struct sl_error *err);

/* Adds a kernel. SL_USAGE: why it cannot be written so; the module is as it was. */
enum sl_status sl_linear_output_add(struct sl_linear_output *output, const struct sl_linear_input *input,
                                    const struct sl_linear_kernel *kernel, struct sl_linear_plan *plan,
                                    struct sl_error *err);

enum sl_status sl_linear_output_write(const struct sl_linear_output *output, struct sl_error *err);

/* Writes the module of a file with all kernels that can have linear registers. */
enum sl_status sl_linear_output_make(const char *path, const char *from, struct sl_error *err);

void sl_linear_output_close(struct sl_linear_output *output);

#endif
