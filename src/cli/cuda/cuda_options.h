/* The command line of simtlab cuda: nvcc's options. */
#ifndef SL_CLI_CUDA_OPTIONS_H
#define SL_CLI_CUDA_OPTIONS_H

#include "compiler/cc/compile_cuda.h"

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

#endif
