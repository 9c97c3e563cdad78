#include "machine/vortex/core/vortex_scoreboard.h"

unsigned sl_scoreboard_list(const struct sl_vortex_scoreboard *s, enum sl_vortex_awaited set, unsigned warp,
                            const struct sl_vortex_facts *facts, uint8_t reg[SL_VORTEX_NAMES])
{
  unsigned count = 0;
  for (uint64_t rest = s->busy[set][warp] & facts->registers; rest; rest &= rest - 1)
    reg[count++] = (uint8_t)sl_lowest(rest);
  for (unsigned i = 0; i < SL_VORTEX_NAMES && facts->wide; i++) {
    const unsigned name = facts->high[i];
    if (name >= 64 && (s->high[set][warp][name / 64 - 1] >> name % 64 & 1))
      reg[count++] = (uint8_t)name;
  }
  return count;
}

static bool is_of(enum sl_vortex_awaited set, const struct sl_vortex_facts *facts)
{
  return set == SL_AWAITED || (set == SL_AWAITED_LOAD && facts->unit == SL_UNIT_LSU) ||
         (set == SL_AWAITED_FPU && facts->unit == SL_UNIT_FPU);
}

void sl_scoreboard_hold_high(struct sl_vortex_scoreboard *s, unsigned warp, const struct sl_vortex_facts *facts)
{
  for (unsigned set = 0; set < SL_AWAITED_SETS && facts->high_write != 0; set++)
    if (is_of((enum sl_vortex_awaited)set, facts))
      s->high[set][warp][facts->high_write / 64 - 1] |= sl_bit(facts->high_write % 64);
}

void sl_scoreboard_release_high(struct sl_vortex_scoreboard *s, unsigned warp, const struct sl_vortex_facts *facts)
{
  for (unsigned set = 0; set < SL_AWAITED_SETS && facts->high_write != 0; set++)
    s->high[set][warp][facts->high_write / 64 - 1] &= ~sl_bit(facts->high_write % 64);
}

bool sl_scoreboard_any(const struct sl_vortex_scoreboard *s, enum sl_vortex_awaited set, unsigned warp)
{
  uint64_t any = s->busy[set][warp];
  for (unsigned i = 0; i < SL_VORTEX_HIGH_WORDS; i++)
    any |= s->high[set][warp][i];
  return any != 0;
}
