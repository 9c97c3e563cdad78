/* Programs: files that are run as they are, and sources that are compiled for the kind of machine. */
#ifndef SL_CLI_COMPARE_COMPARE_PROGRAMS_H
#define SL_CLI_COMPARE_COMPARE_PROGRAMS_H

#include "config/config.h"
#include "program/program.h"

/* What a program has been made for. A program that is no source is the same for all. */
struct sl_compare_made {
  const char *target; /* of simtlab cc */
  bool fp;
  unsigned registers; /* of 64-bit words */
  struct sl_program *program;
};

struct sl_compare_program {
  const char *file;
  struct sl_compare_made *made;
  size_t count;
};

/* Whether a file is compiled: its name is that of C, C++ or assembly. */
bool sl_is_source(const char *file);

/* The program for a machine: a file is read, a source compiled. What a compiler says of it goes to standard error.
 * SL_USAGE: also, simtlab cc makes no programs for the machine. */
enum sl_status sl_program_for(const char *file, const struct sl_config *machine, struct sl_program **program,
                              struct sl_error *err);

/* The same, read or compiled when it is first asked for. */
enum sl_status sl_compare_program(struct sl_compare_program *program, const struct sl_config *machine,
                                  const struct sl_program **result, struct sl_error *err);
void sl_compare_program_free(struct sl_compare_program *program);

#endif
