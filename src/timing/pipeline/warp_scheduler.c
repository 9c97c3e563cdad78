#include "timing/pipeline/warp_scheduler.h"

/* The first i of p, p ^ 1, p ^ 2, ... that is in the set. */
#define FIRST(p, set, step, otherwise) ((set) >> ((p) ^ (step)) & 1 ? (p) ^ (step) : (otherwise))
#define LEAST(p, set)                                                                                                  \
  FIRST(p, set, 0,                                                                                                     \
        FIRST(p, set, 1,                                                                                               \
              FIRST(p, set, 2, FIRST(p, set, 3, FIRST(p, set, 4, FIRST(p, set, 5, FIRST(p, set, 6, (p) ^ 7)))))))
#define SETS_4(p, set) LEAST(p, set), LEAST(p, (set) + 1), LEAST(p, (set) + 2), LEAST(p, (set) + 3)
#define SETS_16(p, set) SETS_4(p, set), SETS_4(p, (set) + 4), SETS_4(p, (set) + 8), SETS_4(p, (set) + 12)
#define SETS_64(p, set) SETS_16(p, set), SETS_16(p, (set) + 16), SETS_16(p, (set) + 32), SETS_16(p, (set) + 48)
#define SETS(p)                                                                                                        \
  {                                                                                                                    \
    SETS_64(p, 0), SETS_64(p, 64), SETS_64(p, 128), SETS_64(p, 192)                                                    \
  }

const uint8_t sl_loose_round_robin_of_8[8][256] = {SETS(0), SETS(1), SETS(2), SETS(3),
                                                   SETS(4), SETS(5), SETS(6), SETS(7)};

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
