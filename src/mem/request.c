#include "mem/request.h"

bool sl_access_memo_learn(struct sl_access_memo_entry *entry, uint32_t instruction, const uint32_t *address,
                          sl_lanes active, const struct sl_addresses *summary, unsigned lanes)
{
  const bool again = active == sl_low_bits(lanes) || (active == entry->seen && instruction == entry->instruction);
  const uint32_t first = summary->first;
  entry->seen = active;
  entry->instruction = instruction;
  entry->lanes = again ? active : 0;
  if (!again)
    return false;
  entry->bits = 0;
  for (unsigned l = 0; l < lanes; l++) {
    entry->offset[l] = active >> l & 1 ? address[l] - first : 0;
    entry->index[l] = active >> l & 1 ? (address[l] - summary->low) / 4 : 0;
    entry->bits |= entry->offset[l];
  }
  entry->low = summary->low - first;
  entry->high = summary->high - first;
  entry->consecutive = summary->consecutive;
  entry->window = (entry->bits & 3) == 0 && summary->high - summary->low < 4 * SL_LANES_WINDOW;
  entry->served = false;
  return true;
}
