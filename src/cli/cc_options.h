/* Command line of simtlab cc: separates simtlab's own options, compiler options, linker options and input files. */
#ifndef SL_CLI_CC_OPTIONS_H
#define SL_CLI_CC_OPTIONS_H

#include "cli/command.h"
#include "toolchain/compile.h"
#include "toolchain/direct_use.h"

enum sl_cc_request {
  SL_CC_COMPILE,
  SL_CC_HELP,
  SL_CC_VERSION,
  SL_CC_DIRECT_USE,
  SL_CC_TOOLCHAIN, /* print the path of the CMake toolchain file */
  SL_CC_ASK,       /* query the compiler: -dumpmachine, -print-..., -Wl,--version */
};

struct sl_cc {
  struct sl_words words; /* all words, also from response files; the other fields point into it */
  struct sl_words flags;
  struct sl_input *inputs;
  size_t input_capacity;
  const char *language, *target_name, *marks;
  struct sl_wide_words code;
  enum sl_cc_request request;
  bool shown, dry;
  struct sl_direct_use direct_use;
  struct sl_compile_order order;
};

enum sl_status sl_cc_options(struct sl_cc *cc, int argc, char **argv, struct sl_error *err);
void sl_cc_options_free(struct sl_cc *cc);

#endif
