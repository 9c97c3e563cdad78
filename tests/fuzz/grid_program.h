/* The program of whole_program.h for a machine with a hardware block scheduler: at that machine's addresses, with the
 * symbol that marks it, and a launch of three blocks of 40 threads. */
#ifndef SL_TESTS_GRID_PROGRAM_H
#define SL_TESTS_GRID_PROGRAM_H

#include "whole_program.h"

struct sl_grid_program {
  struct sl_whole_program whole;
  Elf32_Shdr sections[3];
  Elf32_Sym symbols[2];
  char names[16];
};

void sl_grid_program(struct sl_grid_program *program, const uint8_t *bytes, size_t size);

#endif
