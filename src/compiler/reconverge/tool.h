/* State shared by the tool's parts: the module and its target machine. */
#ifndef SL_MARKS_TOOL_H
#define SL_MARKS_TOOL_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Allocation for a tool that exits if memory is exhausted. */

/* Returns zeroed room for `count` items, at least one. */
static inline void *sl_room(size_t count, size_t size)
{
  void *room = calloc(count ? count : 1, size);
  if (room == NULL) {
    fprintf(stderr, "simtlab-marks: no memory left\n");
    exit(EXIT_FAILURE);
  }
  return room;
}

/* How the machine reconverges lanes. */
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
  bool lane_barriers;  /* Vortex with a pc per lane: convergence barriers instead of splits */
  bool warns_of_waits; /* list the loops in which lanes may wait for each other */
  bool all_selects;    /* replace also uniform ones, and 64-bit operations that would become branches */
  bool integer_floats; /* floats are in integer registers (Zfinx) */
};

/* A function that several lanes of a warp may run. */
struct sl_lane_function {
  LLVMValueRef function;
  bool same_parameters; /* all lanes call it with the same arguments */
  bool restructure;     /* it has branches that are not nested */
};

#endif
