/* An RV32 program for the many-SM machine, as input of simtlab linear. */
#ifndef SL_CLI_LINEAR_LINEAR_ELF_H
#define SL_CLI_LINEAR_LINEAR_ELF_H

#include "compiler/linear/linear_rv32.h"
#include "program/program.h"

struct sl_linear_elf {
  struct sl_program *program;
  struct sl_code code;
};

/* Register state at a kernel's entry. */
extern const struct sl_linear_abi sl_linear_sm7_abi;

/* SL_USAGE: the program is for another machine. */
enum sl_status sl_linear_elf_open(struct sl_linear_elf *elf, const char *path, struct sl_error *err);
void sl_linear_elf_close(struct sl_linear_elf *elf);

/* The instruction words of a function; false if it does not exist. */
bool sl_linear_elf_find(const struct sl_linear_elf *elf, const char *name, struct sl_linear_machine_code *function);

#endif
