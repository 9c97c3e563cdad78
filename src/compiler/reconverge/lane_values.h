/* Sources of divergence: instructions whose result differs between lanes by itself, such as the lane's number, its own
 * stack and thread-local variables, and results of atomics and functions. For all others the operands decide. */
#ifndef SL_MARKS_LANE_VALUES_H
#define SL_MARKS_LANE_VALUES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

enum sl_lanes_get {
  SL_LANES_GET_SAME,    /* uniform, for any operands */
  SL_LANES_GET_OTHERS,  /* divergent */
  SL_LANES_BY_OPERANDS, /* uniform if all operands are */
};

enum sl_lanes_get sl_lanes_get(LLVMValueRef instruction);

/* Returns the text of an inline assembly call, or NULL. */
const char *sl_assembly_of(LLVMValueRef instruction);

/* Returns the name of the called intrinsic without "llvm.", or NULL. */
const char *sl_intrinsic_of(LLVMValueRef instruction);

#endif
