/* Compiles CUDA kernels to PTX, by Clang alone: no host code, no CUDA library, no linking. */
#ifndef SL_TOOLCHAIN_COMPILE_PTX_H
#define SL_TOOLCHAIN_COMPILE_PTX_H

#include "compiler/cc/compile_order.h"
#include "compiler/cc/tools.h"

/* Compiles the order's single source to its output, or to a .ptx of the source's name in the current folder. Kernels
 * include the runtime's simt_ptx.h. */
enum sl_status sl_compile_ptx(const struct sl_compile_order *order, struct sl_tools *tools, struct sl_error *err);

#endif
