/* What an assembler does with the instructions of a function: control flow and registers (ptx_flow.c), numbers of
 * registers (ptx_ranges.c), and the order of instructions (ptx_schedule.c). */
#ifndef SL_PTX_PTX_PASSES_H
#define SL_PTX_PTX_PASSES_H

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

/* Control flow: basic blocks, immediate post-dominators, and the reconvergence points of branches. */

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

/* Numbers the registers of a function by live ranges instead of names, for functions with more names than a machine can
 * tell apart. */

/* The place of a register in the block of registers. */
struct sl_ptx_home {
  uint32_t offset, bytes;
};

/* Registers of one size share a number and a place if no thread needs both values at once. New numbers ascend in the
 * order of the old ones, which are the indices of `home`. `home` has `count` items: those of the function's registers,
 * then of places without a number. Sets the numbers and places of the instructions, and `registers`, `register_bytes`
 * and `shares` of the function. */
enum sl_status sl_ptx_ranges_number(struct sl_ptx_insn *code, struct sl_ptx_function *function,
                                    const struct sl_ptx_home *home, uint32_t count, struct sl_error *err);

/* Adds to all places and numbers of an instruction's registers. */
void sl_ptx_ranges_move(struct sl_ptx_insn *in, uint32_t offset, uint32_t id);

/* Orders the instructions of basic blocks as an assembler does: a list scheduler, loads first.
 *
 * An assembler moves loads up, so that several are outstanding before the first result is needed, as long as the
 * registers last. The scheduler takes, in each cycle, the ready instruction with the longest path of latencies to the
 * end of its piece of code. If the live values exceed the budget, it takes the one that frees most registers. A piece
 * ends at branches, barriers, atomics, fences, calls and exchanges between lanes; loads do not pass stores that may
 * write the same bytes. Values do not change.
 *
 * Products of matrices and loads of matrices take a unit for many cycles: an instruction of each can issue every 32
 * cycles, so loads for the next products are among those that issue now.
 *
 * Latencies: Jia et al., arXiv:1804.06826 (tables 3.1 and 4.1), of Volta; of products Raihan et al., arXiv:1811.08309.
 */

/* Schedules a function, whose branches have their targets. `weight`: the size of each register number in words.
 * `slack`: words of registers that a piece of code may need beyond what it needs in program order. A piece with
 * instructions on matrices may need no more, and stays as it is without `matrices`. */
enum sl_status sl_ptx_schedule(struct sl_ptx_insn *code, uint32_t begin, uint32_t end, const uint8_t *weight,
                               unsigned registers, unsigned slack, bool matrices, struct sl_error *err);

#endif
