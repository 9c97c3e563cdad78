/* The registers that allocation chooses from: how many, which bank each is in, and what the calling convention makes of
 * it. By default the 128 of section 3.2 of the paper on 64-bit instruction words: RISC-V's 32, then 16 temporaries (a8
 * to a23), 48 that functions save (s12 to s59), 32 temporaries (t7 to t38); what is beyond are temporaries. */
#ifndef SL_BACKEND_REGISTERS_H
#define SL_BACKEND_REGISTERS_H

#include "base/error.h"
#include "base/types.h"

enum { SL_REGISTERS = 256, SL_LEAST_REGISTERS = 16, SL_MOST_BANKS = 8 };

/* How a register is chosen among those that are free:
 *   unaware    the first one in order
 *   first fit  the paper's rule (section 3.3): the first one whose bank no operand of the same instructions is in; else
 *              the first one. Copies are respected before that, as its greedy allocator's hints are
 *   cost       the cheapest one: executions of instructions with two sources in its bank, of copies that it does not
 * save, and of its being saved and restored, which the paper leaves open (section 4.3) */
enum sl_allocation { SL_UNAWARE, SL_FIRST_FIT, SL_COST, SL_ALLOCATIONS };

struct sl_registers {
  unsigned count, banks;
  uint8_t bank[SL_REGISTERS];
  bool saved[SL_REGISTERS];    /* a function leaves them as it found them; ra is none of them, though it must, too */
  bool reserved[SL_REGISTERS]; /* zero, sp, gp, tp, of a function with a frame pointer that: never chosen */
  uint8_t order[SL_REGISTERS]; /* in which they are tried: temporaries, saved ones, ra */
  unsigned order_count;
};

/* count: 16 to 256, banks: 1 to 8. bank: of each register, or NULL for its number modulo `banks`. saved: of each, or
 * NULL for the default. */
enum sl_status sl_registers_init(struct sl_registers *registers, unsigned count, unsigned banks, const uint8_t *bank,
                                 const bool *saved, struct sl_error *err);

/* x8 is the frame pointer of the function. */
void sl_registers_reserve_frame_pointer(struct sl_registers *registers);

#endif
