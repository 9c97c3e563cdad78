/* Control flow of a function: basic blocks, immediate post-dominators, and the reconvergence points of branches. */
#ifndef SL_PTX_PTX_FLOW_H
#define SL_PTX_PTX_FLOW_H

#include "ptx/ptx.h"

/* Estimates the registers per thread. PTX has an unlimited number of registers; only an assembler for a real machine
 * knows the number it needs.
 *
 * The estimate counts the values that are live at once. It excludes values that are never read, and operands from the
 * constant bank (parameters, immediates, sizes of grid and block). It adds one register for addresses of shared and
 * local memory, and the temporaries of divisions. An assembler moves loads up as long as that does not reduce the
 * number of threads: an SM is full with 32 registers per thread. */

/* Maximum number of live 32-bit registers: in program order, and with all loads as early as possible. */
struct sl_ptx_pressure {
  unsigned least, early;
};

/* Of the function from begin to end. `weight` has the size of each register number; it is modified. All zeros if out of
 * memory. */
struct sl_ptx_pressure sl_ptx_pressure(const struct sl_ptx_insn *code, uint32_t begin, uint32_t end, uint8_t *weight,
                                       unsigned registers);

/* The number that an assembler would use. */
unsigned sl_ptx_registers_estimated(struct sl_ptx_pressure pressure);

/* Sets `reconvergence` of the branches from begin to end, whose targets are PCs of the same function. It is
 * SL_PTX_NOWHERE if the lanes reconverge only at the function's end, or never. */
enum sl_status sl_ptx_flow(struct sl_ptx_insn *code, uint32_t begin, uint32_t end, struct sl_error *err);

/* Sets `release` of branches whose loop takes a lock: it tries a compare-and-swap or exchange of constants, and its
 * exit leads to the store or exchange of a constant that releases the lock. */
void sl_ptx_locks(struct sl_ptx_insn *code, uint32_t begin, uint32_t end);

/* The basic blocks of a function. */
struct sl_ptx_blocks {
  const struct sl_ptx_insn *code;
  uint32_t begin, end, blocks;
  uint32_t *block_of;  /* by pc - begin */
  uint32_t *first;     /* PC by block, then the end */
  uint32_t (*next)[2]; /* successors of a node; block b is node b + 1, node 0 is the end of the function */
};

/* Of the function from begin to end, which is not empty. False: out of memory. Free it in either case. */
bool sl_ptx_blocks_find(struct sl_ptx_blocks *b, const struct sl_ptx_insn *code, uint32_t begin, uint32_t end);
void sl_ptx_blocks_free(struct sl_ptx_blocks *b);

/* The possible successors of the instruction at pc: at most two; SL_PTX_NOWHERE is the end of the function. */
unsigned sl_ptx_successors(const struct sl_ptx_insn *code, uint32_t pc, uint32_t end, uint32_t next[2]);

#endif
