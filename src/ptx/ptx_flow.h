/* Control flow of a function: basic blocks, immediate post-dominators, and the reconvergence points of branches. */
#ifndef SL_PTX_PTX_FLOW_H
#define SL_PTX_PTX_FLOW_H

#include "ptx/ptx.h"

/* Sets `reconvergence` of the branches from begin to end, whose targets are PCs of the same function. It is
 * SL_PTX_NOWHERE if the lanes reconverge only at the function's end, or never. */
enum sl_status sl_ptx_flow(struct sl_ptx_insn *code, uint32_t begin, uint32_t end, struct sl_error *err);

/* The possible successors of the instruction at pc: at most two; SL_PTX_NOWHERE is the end of the function. */
unsigned sl_ptx_successors(const struct sl_ptx_insn *code, uint32_t pc, uint32_t end, uint32_t next[2]);

#endif
