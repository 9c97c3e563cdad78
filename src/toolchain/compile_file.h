/* One file through a compiler, and where marks are the compiler's through the marks tool: to an object, to assembly, to
 * what the preprocessor makes of it. */
#ifndef SL_TOOLCHAIN_COMPILE_FILE_H
#define SL_TOOLCHAIN_COMPILE_FILE_H

#include "toolchain/compile_order.h"
#include "toolchain/tools.h"

struct sl_compile_step {
  const struct sl_input *input;
  const char *output;       /* NULL: the standard output */
  const char *dependencies; /* the file for -MD and -MMD, where the flags name none, and the target in it */
  const char *target;
  const char *bitcode; /* an intermediate file, for sl_takes_bitcode */
  enum sl_goal goal;   /* any but a program */
  bool of_runtime;     /* start code and library: without what flags say of the user's own sources */
};

/* Whether Clang is not the last tool: marks are put in, or machine IR is kept. */
bool sl_takes_bitcode(const struct sl_compile_order *order, const struct sl_compile_step *step);

enum sl_status sl_compile_file(const struct sl_compile_order *order, const struct sl_compile_step *step,
                               struct sl_tools *tools, struct sl_error *err);

#endif
