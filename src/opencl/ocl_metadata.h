/* What LLVM's representation of a program says about its kernels, as lines of text:
 *
 *   K <tab> name <tab> x <tab> y <tab> z <tab> attributes
 *   A <tab> address space <tab> access <tab> qualifiers <tab> type <tab> base type <tab> name
 *
 * A kernel is followed by its arguments. Address spaces are those of SPIR: 0 private, 1 global, 2 constant, 3 local. */
#ifndef SL_OPENCL_OCL_METADATA_H
#define SL_OPENCL_OCL_METADATA_H

#include "compiler/cc/tools.h"

void sl_ocl_metadata(const char *ir, struct sl_log *lines);

#endif
