/* A program in RV32 machine code for the many-SM machine, as simtlab linear looks at it. */
#ifndef SL_CLI_LINEAR_LINEAR_ELF_H
#define SL_CLI_LINEAR_LINEAR_ELF_H

#include "linear/linear_rv32.h"
#include "program/program.h"

struct sl_linear_elf {
  struct sl_program *program;
  struct sl_code code;
};

/* How kernels begin there. */
extern const struct sl_linear_abi sl_linear_sm7_abi;

/* SL_USAGE for a program of another machine. */
enum sl_status sl_linear_elf_open(struct sl_linear_elf *elf, const char *path, struct sl_error *err);
void sl_linear_elf_close(struct sl_linear_elf *elf);

/* The words of a function; false: there is none of that name. */
bool sl_linear_elf_find(const struct sl_linear_elf *elf, const char *name, struct sl_linear_machine_code *function);

#endif
