/* simtlab linear: input, report, output with linear registers, and the check of vectors. */
#ifndef SL_CLI_LINEAR_LINEAR_H
#define SL_CLI_LINEAR_LINEAR_H

#include <jansson.h>
#include <stdio.h>

#include "cli/options.h"
#include "compiler/linear/linear_check.h"
#include "compiler/linear/linear_code.h"
#include "compiler/linear/linear_rewrite.h"
#include "compiler/linear/linear_vectors.h"
#include "program/program.h"
#include "ptx/ptx.h"

/* ---- input ------------------------------------------------------------------------------------------------------- */

/* Input of simtlab linear: the kernels of a file, and the text of their instructions. */

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

/* ---- report ------------------------------------------------------------------------------------------------------ */

/* Text report of simtlab linear for a kernel. */

struct sl_linear_report {
  const struct sl_linear_input *input;
  const struct sl_linear_kernel *kernel;
  struct sl_linear_analysis *analysis;
  const struct sl_linear_plan *plan;
};

/* Returns false on a write error. `listing`: print every instruction. */
bool sl_linear_print(const struct sl_linear_report *report, bool listing, FILE *file);

json_t *sl_linear_json(const struct sl_linear_report *report);

/* Describes an instruction: its vector, why it has none, and the linear registers that kept instructions read. */
enum { SL_LINEAR_REMARK = 2 * SL_LINEAR_TEXT };
char *sl_linear_remark(const struct sl_linear_report *report, uint32_t insn, char text[SL_LINEAR_REMARK]);

/* "removed", "copied", "kept". */
const char *sl_linear_fate_text(enum sl_linear_fate fate);

/* ---- output ------------------------------------------------------------------------------------------------------ */

/* Output of simtlab linear -o. A module keeps its text and gains the kernels with linear registers. A program keeps its
 * file and gains a section. */

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

/* ---- check ------------------------------------------------------------------------------------------------------- */

/* simtlab linear --check: runs the kernels of a launch script or program and compares values with their coefficient
 * vectors. */

/* Prints the number of compared values. SL_CHECK_FAILED with an error if one differs. */
enum sl_status sl_linear_checked(const char *path, const struct sl_linear_options *options, struct sl_error *err);

/* The same for a program, operands->items[0], with its arguments; its console is the command's. */
enum sl_status sl_linear_check_program(const struct sl_operands *operands, const char *named,
                                       const struct sl_linear_options *options, struct sl_error *err);

#endif
