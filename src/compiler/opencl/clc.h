/* The parts of simtlab-clc, which compiles the bitcode of OpenCL kernels to objects for machines with RISC-V
 * instructions. */
#ifndef SL_CLC_CLC_H
#define SL_CLC_CLC_H

#include "compiler/reconverge/passes.h"

struct clc_target {
  const char *name, *features, *abi;
  enum sl_marks_kind kind;
  bool marks;              /* else lanes order themselves by program counters */
  unsigned geometry_bytes; /* of the launch before the kernel's arguments (runtime/opencl/riscv.h) */
  const char *entry;       /* assembly of a kernel's entry, with its name for each '@'; NULL: the function itself */
};

/* What the host must know to launch a kernel. */
struct clc_layout {
  unsigned local_bytes, parameter_bytes;
  /* Of the function, for the check of the final code: conditional branches, selects, of which code generation may make
   * branches, annotations, and the kinds of the branches and selects by number (compiler/cc/lanes/lane_code.h). */
  unsigned branches, made, annotations;
  char *kinds;
  unsigned count;
  struct {
    unsigned offset, bytes;
  } * parameter;
};

/* clc_main.c: bitcode of which a module gets only the functions that it calls. */

/* Opens bitcode, of which functions are read when they are linked; NULL: a fault, with a sentence. */
LLVMModuleRef clc_open(const struct sl_tool *tool, LLVMMemoryBufferRef bytes);

/* An empty module for code of another one. */
LLVMModuleRef clc_module_like(const struct sl_tool *tool, LLVMModuleRef other);

/* Returns the function in the tool's module, declared if it is not there. */
LLVMValueRef clc_declare(const struct sl_tool *tool, LLVMModuleRef library, const char *name);

/* clc_kernel.c: defines simtlab_body, which calls a kernel with the arguments of the launch, and gives __local
 * variables their place. False: something that is not supported, with a sentence. */
bool clc_call_kernel(const struct sl_tool *tool, const struct clc_target *target, LLVMValueRef kernel,
                     struct clc_layout *layout);

/* Replaces calls of simtlab_item in a function by a variable. */
void clc_make_item(const struct sl_tool *tool, LLVMValueRef function);

/* clc_kernel.c: after the last pass on the function, counts its branches and selects and numbers them if it has
 * `marks` and debug information. Code generation keeps an annotated branch that leaves a loop as one. */
void clc_number_branches(const struct sl_tool *tool, LLVMValueRef function, bool marks, struct clc_layout *layout);

/* clc_legalise.c: replaces calls of printf by stores into a buffer that the host reads. False: one cannot be printed.
 */
bool clc_lower_print(const struct sl_tool *tool);

/* clc_legalise.c: replaces operations that code generation would make calls or loops by functions of the device
 * library, which it declares. True: something was replaced. */
bool clc_legalise(const struct sl_tool *tool, LLVMModuleRef library);

#endif
