/* What the parts of the tool share: the module being made, for which machine. */
#ifndef SL_MARKS_TOOL_H
#define SL_MARKS_TOOL_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

/* How lanes that disagree are kept together. */
enum sl_marks_kind {
  SL_MARKS_VORTEX, /* a warp has one program counter: split and join, predicated loops */
  SL_MARKS_LEVELS, /* each lane has its own: nesting levels, push and pop (SIMTight) */
};

struct sl_tool {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  LLVMBuilderRef builder;
  enum sl_marks_kind kind;
  bool integer_floats; /* floats are in integer registers (Zfinx) */
};

/* A function that several lanes of a warp may run. */
struct sl_lane_function {
  LLVMValueRef function;
  bool same_parameters; /* it is called with the same arguments on all lanes */
  bool restructure;     /* it has branches that are not nested */
};

#endif
