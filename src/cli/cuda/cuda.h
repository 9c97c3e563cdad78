/* The command line of simtlab cuda: nvcc's options. */
#ifndef SL_CLI_CUDA_CUDA_H
#define SL_CLI_CUDA_CUDA_H

#include "base/error.h"
#include "base/types.h"
#include "compiler/cc/compile.h"

enum sl_cuda_request {
  SL_CUDA_COMPILE,
  SL_CUDA_HELP,
  SL_CUDA_VERSION,
  SL_CUDA_ROOT,    /* print the path of the tree that looks like an SDK */
  SL_CUDA_ENV,     /* print shell commands that point builds to it */
  SL_CUDA_NOTHING, /* -cuda: writes nothing */
};

struct sl_cuda {
  struct sl_words words; /* all words, also from response files; the other fields point into it */
  struct sl_cuda_input *inputs;
  size_t capacity;
  enum sl_cuda_request request;
  enum sl_cuda_language language; /* of -x, for the files after it */
  bool language_given, dry, shown, openmp;
  bool forward;          /* unknown options are the host compiler's */
  struct sl_log ignored; /* a line per option that has no effect */
  struct sl_cuda_order order;
};

/* SL_USAGE with a sentence: an option is unknown, refused or lacks its value. */
enum sl_status sl_cuda_options(struct sl_cuda *cuda, int argc, char **argv, struct sl_error *err);
void sl_cuda_options_free(struct sl_cuda *cuda);

/* Programs that start from a CUDA source: builds it as simtlab cuda does. */

enum { SL_CUDA_PATH = 40 /* bytes of the path below */ };

/* Whether the name has the suffix of CUDA. */
bool sl_is_cuda_source(const char *path);

/* Builds the program with source lines. `words`: further words of simtlab cuda, as a shell reads them; NULL: none.
 * `checkable`: for the checker. `program`: a path by which this process can start it, as long as `file` is open. No
 * file remains. SL_USAGE: it does not compile. */
enum sl_status sl_cuda_build(const char *source, const char *words, bool checkable, char program[SL_CUDA_PATH],
                             int *file, struct sl_error *err);

#endif
