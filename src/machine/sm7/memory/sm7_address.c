#include "machine/sm7/memory/sm7_address.h"

#include "machine/sm7/sm7_code.h"

/* `value` modulo a polynomial of that degree over GF(2). */
static uint32_t remainder_of(uint64_t value, unsigned polynomial, unsigned degree)
{
  while (value >> degree) {
    const unsigned top = 63 - (unsigned)__builtin_clzll(value);
    value ^= (uint64_t)polynomial << (top - degree);
  }
  return (uint32_t)value;
}

enum { UNIT_BITS = 8 }; /* 256 bytes stay together */

static uint64_t without_channel(const struct sl_sm7_spec *spec, uint64_t address)
{
  return (address >> UNIT_BITS) / spec->channels << UNIT_BITS | (address & 0xff);
}

struct sl_sm7_place sl_sm7_place(const struct sl_sm7_spec *spec, uint64_t address)
{
  const uint64_t unit = address >> UNIT_BITS, quotient = unit / spec->channels;
  const uint64_t local = without_channel(spec, address);
  const unsigned bank = (unsigned)((local >> 12 & 7) << 1 | (local >> 8 & 1));
  const unsigned row = (unsigned)(local >> 15 & 0x1fff);
  unsigned slice = (unsigned)(unit % spec->channels) * SL_SM7_CHANNEL_SLICES + (bank & 1);
  if (spec->l2_hash)
    slice = remainder_of((quotient & 0x7ffff) << 6 | slice, 0x43, 6) % (spec->channels * SL_SM7_CHANNEL_SLICES);
  return (struct sl_sm7_place){
      .slice = (uint8_t)slice, .bank = (uint8_t)(bank ^ (row % SL_SM7_DRAM_BANKS)), .row = (uint16_t)row};
}

uint32_t sl_sm7_l2_set(const struct sl_sm7_spec *spec, uint64_t address)
{
  const uint64_t local = without_channel(spec, address);
  const uint64_t p = (local >> 9) << 8 | (local & 0xff); /* bit 8 has selected the slice */
  if (spec->l2_sets != 32)
    return (uint32_t)(p / SL_SM7_LINE % spec->l2_sets);
  return remainder_of((p >> 12 & 0x7fff) << 5 ^ (p >> 7 & 31), 0x25, 5);
}
