/* Remembers how the scratchpad's banks served the latest access of each instruction: no state of the hardware, but time
 * saved. The order of service follows from the banks that the lanes address, and in a kernel warp after warp comes to
 * an instruction with the same banks. An entry is checked against all of them before it answers. Source of the order:
 * sl_scratchpad_schedule (mem/scratchpad.h). */
#ifndef SL_MEM_BANK_MEMO_H
#define SL_MEM_BANK_MEMO_H

#include "isa/lanes.h"

enum { SL_BANK_MEMO_ENTRIES = 64 }; /* a power of two */

struct sl_bank_memo_entry {
  uint32_t address[SL_MAX_LANES];
  sl_lanes lanes; /* 0: nothing is remembered */
  unsigned passes;
  uint8_t order[SL_MAX_LANES];
};

struct sl_bank_memo {
  struct sl_bank_memo_entry entry[SL_BANK_MEMO_ENTRIES];
};

/* As sl_scratchpad_schedule does it; `lanes` is not empty, and instruction any number that is the same for accesses
 * which may be alike. What is returned holds until the next call. */
const struct sl_bank_memo_entry *sl_bank_memo_schedule(struct sl_bank_memo *memo, const struct sl_lane_ops *ops,
                                                       size_t instruction, const uint32_t *address, sl_lanes lanes,
                                                       unsigned lane_count, unsigned banks);

#endif
