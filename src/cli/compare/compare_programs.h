/* The programs of a comparison: files that are run as they are, and sources that are compiled for each kind of machine.
 */
#ifndef SL_CLI_COMPARE_PROGRAMS_H
#define SL_CLI_COMPARE_PROGRAMS_H

#include "config/config.h"
#include "program/program.h"

enum { SL_COMPARE_PROGRAMS = 32 };

/* What kinds of machines differ in for a compiler. */
enum sl_compare_target { SL_TARGET_SIMT, SL_TARGET_SIMT_FP, SL_TARGET_VORTEX, SL_TARGET_GRID, SL_TARGETS };

struct sl_compare_program {
  const char *file;
  struct sl_program *made[SL_TARGETS]; /* of a program that is no source: all the same */
};

/* Whether a file is compiled: its name ends with .c or .S. */
bool sl_is_source(const char *file);

/* The program as a machine runs it, read or compiled when it is first asked for. What a compiler says of a source that
 * it refuses goes to standard error. */
enum sl_status sl_compare_program(struct sl_compare_program *program, const struct sl_config *machine,
                                  const struct sl_program **result, struct sl_error *err);
void sl_compare_program_free(struct sl_compare_program *program);

#endif
