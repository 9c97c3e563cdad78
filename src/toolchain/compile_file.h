/* Compiles one file to an object, to assembly, or to preprocessed text. With --marks=auto it also runs the marks
 * tool. */
#ifndef SL_TOOLCHAIN_COMPILE_FILE_H
#define SL_TOOLCHAIN_COMPILE_FILE_H

#include "toolchain/compile_order.h"
#include "toolchain/tools.h"

struct sl_compile_step {
  const struct sl_input *input;
  const char *output;       /* NULL: the standard output */
  const char *dependencies; /* output file for -MD and -MMD if the flags name none, and its target */
  const char *target;
  const char *bitcode; /* an intermediate file, for sl_takes_bitcode */
  enum sl_goal goal;   /* any except a program */
  bool of_runtime;     /* start code and library: the flags for the user's own sources do not apply */
};

/* Whether another tool follows Clang: it inserts annotations, or stores machine IR. */
bool sl_takes_bitcode(const struct sl_compile_order *order, const struct sl_compile_step *step);

enum sl_status sl_compile_file(const struct sl_compile_order *order, const struct sl_compile_step *step,
                               struct sl_tools *tools, struct sl_error *err);

#endif
