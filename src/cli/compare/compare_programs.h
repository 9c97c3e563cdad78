/* Program files: ELF files run unchanged; sources are compiled for the pipeline. */
#ifndef SL_CLI_COMPARE_COMPARE_PROGRAMS_H
#define SL_CLI_COMPARE_COMPARE_PROGRAMS_H

#include "config/config.h"
#include "program/program.h"

/* The target of a compiled program. All machines run the same file if the program is not a source. */
struct sl_compare_made {
  const char *target; /* target name of simtlab cc */
  bool fp;
  unsigned registers; /* 64-bit instruction words */
  struct sl_program *program;
};

struct sl_compare_program {
  const char *file;
  struct sl_compare_made *made;
  size_t count;
};

/* Whether the file is compiled: its name has a C, C++ or assembly suffix. */
bool sl_is_source(const char *file);

/* Reads or compiles the program for a machine. Compiler messages go to standard error. SL_USAGE also if simtlab cc has
 * no target for the machine. */
enum sl_status sl_program_for(const char *file, const struct sl_config *machine, struct sl_program **program,
                              struct sl_error *err);

/* As above, but reads or compiles each program only once, at its first use. */
enum sl_status sl_compare_program(struct sl_compare_program *program, const struct sl_config *machine,
                                  const struct sl_program **result, struct sl_error *err);
void sl_compare_program_free(struct sl_compare_program *program);

#endif
