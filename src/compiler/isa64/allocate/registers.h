/* The register file for allocation: size, bank of each register, and its role in the calling convention. The default is
 * the 128 registers of section 3.2 of the paper on 64-bit instruction words: RISC-V's 32, 16 temporaries (a8 to a23),
 * 48 callee-saved (s12 to s59), 32 temporaries (t7 to t38). Registers beyond 128 are temporaries. */
#ifndef SL_BACKEND_REGISTERS_H
#define SL_BACKEND_REGISTERS_H

#include "base/error.h"
#include "base/types.h"

enum { SL_REGISTERS = 256, SL_LEAST_REGISTERS = 16, SL_MOST_BANKS = 8 };

/* Policy that selects one of the free registers:
 *   unaware    the first one in order
 *   first fit  the paper's rule (section 3.3): the first one whose bank differs from the banks of the other operands of
 *              the same instructions; else the first one. Copy hints come first, as in the paper's greedy allocator
 *   cost       the cheapest one. The cost counts executions of instructions with two sources in its bank, of copies
 *              that it does not eliminate, and of its save and restore. The paper leaves this open (section 4.3) */
enum sl_allocation { SL_UNAWARE, SL_FIRST_FIT, SL_COST, SL_ALLOCATIONS };

struct sl_registers {
  unsigned count, banks;
  uint8_t bank[SL_REGISTERS];
  bool saved[SL_REGISTERS];    /* callee-saved; excludes ra, which a function must preserve, too */
  bool reserved[SL_REGISTERS]; /* zero, sp, gp, tp, and the frame pointer if the function has one: never allocated */
  uint8_t order[SL_REGISTERS]; /* order of preference: temporaries, saved ones, ra */
  unsigned order_count;
};

/* count: 16 to 256, banks: 1 to 8. bank: per register, or NULL for its number modulo `banks`. saved: per register, or
 * NULL for the default. */
enum sl_status sl_registers_init(struct sl_registers *registers, unsigned count, unsigned banks, const uint8_t *bank,
                                 const bool *saved, struct sl_error *err);

/* Reserves x8 as the function's frame pointer. */
void sl_registers_reserve_frame_pointer(struct sl_registers *registers);

#endif
