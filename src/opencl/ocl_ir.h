/* Changes of a program's LLVM representation before PTX is made of it: what llc-19 and PTX do not have. */
#ifndef SL_OPENCL_OCL_IR_H
#define SL_OPENCL_OCL_IR_H

#include "compiler/cc/tools.h"

/* Changes k.ll in the folder. PTX cannot call kernels, and llc-19 passes a vector of two bytes as two words of 16 bits:
 * such calls are inlined, and such parameters of kernels become one word. Calls of printf become those of the
 * simulator's service. */
enum sl_status sl_ocl_ir_edit(const char *folder, struct sl_log *log);

#endif
