#include "timing/pipeline/warp_scheduler.h"

/* Registers whose counter does not exceed the minimum over the odd-numbered vectors. */
static uint32_t least_used(const struct sl_spill *s, uint32_t vectors)
{
  const uint32_t odd = 0xaaaaaaaa;
  unsigned least = UINT8_MAX;
  uint32_t preferred = 0;
  for (uint32_t rest = vectors & odd; rest; rest &= rest - 1)
    least = s->uses[sl_lowest(rest)] < least ? s->uses[sl_lowest(rest)] : least;
  for (uint32_t rest = vectors; rest; rest &= rest - 1)
    if (s->uses[sl_lowest(rest)] <= least)
      preferred |= rest & -rest;
  return preferred;
}

int sl_spill_victim(const struct sl_spill *s, uint32_t vectors, uint32_t word)
{
  const uint32_t named =
      UINT32_C(1) << (word >> 7 & 31) | UINT32_C(1) << (word >> 15 & 31) | UINT32_C(1) << (word >> 20 & 31);
  const uint32_t allowed = vectors & ~named;
  uint32_t preferred = 0;
  if (s->policy == SL_SPILL_LRU)
    preferred = allowed & least_used(s, vectors);
  else if (s->policy == SL_SPILL_ROUND_ROBIN)
    preferred = allowed & s->preferred[0];
  const uint32_t choice = preferred ? preferred : allowed;
  return choice ? (int)sl_lowest(choice) : -1;
}

int sl_spill_choose(struct sl_spill *s, uint32_t vectors, uint32_t word)
{
  const int victim = sl_spill_victim(s, vectors, word);
  s->preferred[0] = s->preferred[1];
  s->preferred[1] = victim < 0 ? UINT32_MAX : ~(uint32_t)sl_low_bits((unsigned)victim + 1);
  return victim;
}

void sl_spill_use(struct sl_spill *s, unsigned rs1, unsigned rs2)
{
  bool full = false;
  for (unsigned r = 1; r < SL_REGISTERS; r++)
    full |= s->uses[r] == UINT8_MAX;
  if (full) {
    for (unsigned r = 1; r < SL_REGISTERS; r++)
      s->uses[r] >>= 1;
    return;
  }
  s->uses[rs1] = (uint8_t)(s->uses[rs1] + (rs1 != 0));
  s->uses[rs2] = (uint8_t)(s->uses[rs2] + (rs2 != 0 && rs2 != rs1));
}
