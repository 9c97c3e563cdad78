/* Programs that start from a CUDA source: builds it as simtlab cuda does. */
#ifndef SL_CLI_CUDA_CUDA_BUILD_H
#define SL_CLI_CUDA_CUDA_BUILD_H

#include "base/error.h"
#include "base/types.h"

enum { SL_CUDA_PROGRAM = 40 /* bytes of the path below */ };

/* Whether the name has the suffix of CUDA. */
bool sl_is_cuda_source(const char *path);

/* Builds the program with source lines. `words`: further words of simtlab cuda, as a shell reads them; NULL: none.
 * `checkable`: for the checker. `program`: a path by which this process can start it, as long as `file` is open. No
 * file remains. SL_USAGE: it does not compile. */
enum sl_status sl_cuda_build(const char *source, const char *words, bool checkable, char program[SL_CUDA_PROGRAM],
                             int *file, struct sl_error *err);

#endif
