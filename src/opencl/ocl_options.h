/* Build options of OpenCL C as options of Clang. */
#ifndef SL_OPENCL_OCL_OPTIONS_H
#define SL_OPENCL_OCL_OPTIONS_H

#include "compiler/cc/tools.h"

struct ocl_options {
  struct sl_words flags; /* of Clang */
  const char *family;    /* of machines with RISC-V instructions (ocl_riscv.h); NULL: PTX */
  bool no_float;         /* these machines have no floating-point unit */
  bool optimised;
  bool library, strict; /* -create-library, -enable-link-options; warnings are errors */
};

/* Reads a text of options. `linker`: those of clLinkProgram are allowed, too. Options without effect are named in the
 * log. SL_USAGE: an option is wrong; the log says which. */
enum sl_status sl_ocl_options_read(struct ocl_options *options, const char *text, bool linker, struct sl_log *log);
void sl_ocl_options_free(struct ocl_options *options);

#endif
