/* The kernels of a file that simtlab linear looks at, and the text of their instructions. */
#ifndef SL_CLI_LINEAR_LINEAR_INPUT_H
#define SL_CLI_LINEAR_LINEAR_INPUT_H

#include "cli/linear/linear_elf.h"
#include "linear/linear_plan.h"
#include "program/source.h"
#include "ptx/ptx.h"

enum { SL_LINEAR_INSN_TEXT = 160 };

struct sl_linear_kernel {
  const char *name;
  const struct sl_ptx_function *function; /* NULL: machine code */
  struct sl_linear_machine_code words;
};

struct sl_linear_input {
  const char *path;
  struct sl_ptx_module *module; /* NULL: a program */
  struct sl_source source;      /* the PTX itself */
  struct sl_linear_elf elf;
  struct sl_linear_kernel *kernel;
  size_t kernels;
};

/* `named`: a function of a program that is one too, though the program does not tell of it; NULL: none. */
enum sl_status sl_linear_input_open(struct sl_linear_input *input, const char *path, const char *named,
                                    struct sl_error *err);
void sl_linear_input_close(struct sl_linear_input *input);

enum sl_status sl_linear_input_code(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel,
                                    struct sl_linear_code *code, struct sl_error *err);

/* As it is written in PTX, without tabs and the semicolon; disassembled. */
char *sl_linear_insn_text(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel, uint32_t insn,
                          char text[SL_LINEAR_INSN_TEXT]);

/* Where it is: the line of the PTX, the address. */
enum { SL_LINEAR_PLACE_TEXT = 12 };
char *sl_linear_insn_place(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel, uint32_t insn,
                           char text[SL_LINEAR_PLACE_TEXT]);

/* The line of the source that it was made of, and its file; NULL: unknown. */
uint32_t sl_linear_insn_source(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel,
                               uint32_t insn, const char **file);

#endif
