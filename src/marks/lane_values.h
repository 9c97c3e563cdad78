/* Which instructions bring in values that differ between lanes by themselves: who the lane is, its own stack and
 * thread-local variables, results of atomics and of functions. Of all others the operands decide. */
#ifndef SL_MARKS_LANE_VALUES_H
#define SL_MARKS_LANE_VALUES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

enum sl_lanes_get {
  SL_LANES_GET_SAME,    /* whatever the operands are */
  SL_LANES_GET_OTHERS,  /* each its own */
  SL_LANES_BY_OPERANDS, /* the same if all operands are the same */
};

enum sl_lanes_get sl_lanes_get(LLVMValueRef instruction);

/* The text of an inline assembly call, or NULL. */
const char *sl_assembly_of(LLVMValueRef instruction);

/* The intrinsic that is called: its name without "llvm.", or NULL. */
const char *sl_intrinsic_of(LLVMValueRef instruction);

#endif
