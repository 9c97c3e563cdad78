#include "mem/bank_memo.h"

#include <string.h>

#include "mem/scratchpad.h"

const struct sl_bank_memo_entry *sl_bank_memo_schedule(struct sl_bank_memo *memo, const struct sl_lane_ops *ops,
                                                       size_t instruction, const uint32_t *address, sl_lanes lanes,
                                                       unsigned lane_count, unsigned banks)
{
  struct sl_bank_memo_entry *entry = &memo->entry[instruction % SL_BANK_MEMO_ENTRIES];
  if (entry->lanes == lanes && !ops->differ(entry->address, address, (banks - 1) << 2, lane_count))
    return entry;
  entry->lanes = lanes;
  memcpy(entry->address, address, lane_count * sizeof *address);
  entry->passes = sl_scratchpad_schedule(address, lanes, banks, entry->order);
  return entry;
}
