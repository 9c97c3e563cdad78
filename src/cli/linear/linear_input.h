/* The kernels of a file that simtlab linear looks at, and the text of their instructions. */
#ifndef SL_CLI_LINEAR_LINEAR_INPUT_H
#define SL_CLI_LINEAR_LINEAR_INPUT_H

#include "linear/linear_plan.h"
#include "program/source.h"
#include "ptx/ptx.h"

enum { SL_LINEAR_INSN_TEXT = 160 };

struct sl_linear_kernel {
  const char *name;
  const struct sl_ptx_function *function;
};

struct sl_linear_input {
  const char *path;
  struct sl_ptx_module *module;
  struct sl_source source; /* the PTX itself */
  struct sl_linear_kernel *kernel;
  size_t kernels;
};

enum sl_status sl_linear_input_open(struct sl_linear_input *input, const char *path, struct sl_error *err);
void sl_linear_input_close(struct sl_linear_input *input);

enum sl_status sl_linear_input_code(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel,
                                    struct sl_linear_code *code, struct sl_error *err);

/* As it is written, without tabs and the semicolon. */
char *sl_linear_insn_text(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel, uint32_t insn,
                          char text[SL_LINEAR_INSN_TEXT]);
/* The line of the PTX that it is in. */
uint32_t sl_linear_insn_line(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel, uint32_t insn);

#endif
