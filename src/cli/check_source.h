/* simtlab check on a CUDA source: builds the program as simtlab cuda does. */
#ifndef SL_CLI_CHECK_SOURCE_H
#define SL_CLI_CHECK_SOURCE_H

#include "base/error.h"
#include "base/types.h"

enum { SL_CHECK_PROGRAM = 40 /* bytes of the path below */ };

/* Whether the name has the suffix of CUDA. */
bool sl_is_cuda_source(const char *path);

/* Builds the program with source lines. `words`: further words of simtlab cuda, as a shell reads them; NULL: none.
 * `program`: a path by which this process can start it, as long as `file` is open. No file remains. SL_USAGE: it does
 * not compile. */
enum sl_status sl_check_build(const char *source, const char *words, char program[SL_CHECK_PROGRAM], int *file,
                              struct sl_error *err);

#endif
