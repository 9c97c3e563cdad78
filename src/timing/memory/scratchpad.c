#include "timing/memory/scratchpad.h"

/* Streams of one or two lanes, as with 16 banks and 32 lanes. In diverged code, the offered lane and the free banks are
 * unpredictable, so there is no branch on them. */
static unsigned schedule_pairs(const uint32_t *address, sl_lanes lanes, unsigned banks, uint8_t order[SL_MAX_LANES])
{
  unsigned passes = 0, n = 0;
  while (lanes) {
    uint64_t taken = 0; /* banks */
    const sl_lanes first = lanes & sl_low_bits(banks);
    for (sl_lanes rest = first | lanes >> 1 >> (banks - 1); rest; rest &= rest - 1) {
      const unsigned stream = sl_lowest(rest);
      const unsigned lane = stream + (first >> stream & 1 ? 0 : banks);
      const uint64_t bank = sl_bit((address[lane] >> 2) & (banks - 1));
      const bool wins = !(taken & bank);
      taken |= bank;
      order[n] = (uint8_t)lane;
      n += wins;
      lanes &= ~((uint64_t)wins << lane);
    }
    passes++;
  }
  return passes;
}

unsigned sl_scratchpad_schedule(const uint32_t *address, sl_lanes lanes, unsigned banks, uint8_t order[SL_MAX_LANES])
{
  const sl_lanes streams = sl_low_bits(banks);
  unsigned passes = 0, n = 0;
  if (banks >= SL_MAX_LANES / 2 || lanes >> 2 * banks == 0)
    return schedule_pairs(address, lanes, banks, order);
  while (lanes) {
    sl_lanes offered = 0; /* streams that offer a lane */
    for (unsigned shift = 0; shift < SL_MAX_LANES; shift += banks)
      offered |= (lanes >> shift) & streams;
    uint64_t taken = 0; /* banks */
    for (sl_lanes rest = offered; rest && taken != streams; rest &= rest - 1) {
      unsigned lane = sl_lowest(rest);
      while (!(lanes >> lane & 1))
        lane += banks;
      /* In conflicting code, a free bank is unpredictable, so there is no branch on it. */
      const uint64_t bank = sl_bit((address[lane] >> 2) & (banks - 1));
      const bool wins = !(taken & bank);
      taken |= bank;
      order[n] = (uint8_t)lane;
      n += wins;
      lanes &= ~((uint64_t)wins << lane);
    }
    passes++;
  }
  return passes;
}
