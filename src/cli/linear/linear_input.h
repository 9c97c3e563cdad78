/* Input of simtlab linear: the kernels of a file, and the text of their instructions. */
#ifndef SL_CLI_LINEAR_LINEAR_INPUT_H
#define SL_CLI_LINEAR_LINEAR_INPUT_H

#include "compiler/linear/linear_plan.h"
#include "compiler/linear/linear_rv32.h"
#include "program/program.h"
#include "program/source.h"
#include "ptx/ptx.h"

/* An RV32 program for the many-SM machine. */
struct sl_linear_elf {
  struct sl_program *program;
  struct sl_code code;
};

/* Register state at a kernel's entry. */
extern const struct sl_linear_abi sl_linear_sm7_abi;

enum { SL_LINEAR_INSN_TEXT = 160 };

struct sl_linear_kernel {
  const char *name;
  const struct sl_ptx_function *function; /* NULL: machine code */
  struct sl_linear_machine_code words;
};

struct sl_linear_input {
  const char *path;
  struct sl_ptx_module *module; /* NULL: a program */
  struct sl_source source;      /* the PTX text */
  struct sl_linear_elf elf;
  struct sl_linear_kernel *kernel;
  size_t kernels;
};

/* `named`: a function that is also treated as a kernel although the program does not declare it; NULL: none. */
enum sl_status sl_linear_input_open(struct sl_linear_input *input, const char *path, const char *named,
                                    struct sl_error *err);
void sl_linear_input_close(struct sl_linear_input *input);

enum sl_status sl_linear_input_code(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel,
                                    struct sl_linear_code *code, struct sl_error *err);

/* The instruction's text: PTX without tabs and semicolon, or disassembly. */
char *sl_linear_insn_text(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel, uint32_t insn,
                          char text[SL_LINEAR_INSN_TEXT]);

/* The instruction's location: line of the PTX, or address. */
enum { SL_LINEAR_PLACE_TEXT = 12 };
char *sl_linear_insn_place(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel, uint32_t insn,
                           char text[SL_LINEAR_PLACE_TEXT]);

/* Source line and file of an instruction; NULL: unknown. */
uint32_t sl_linear_insn_source(const struct sl_linear_input *input, const struct sl_linear_kernel *kernel,
                               uint32_t insn, const char **file);

#endif
