/* Charging cycles and events to instructions; nothing here runs unless someone profiles. */
#include <string.h>

#include "machine/simty/simty_sm.h"

static const struct sl_cause causes[SL_SIMTY_SLOT_COUNT] = {
#define CAUSE(id, name, colour, meaning) {name, meaning, SL_##colour},
#include "machine/simty/simty_causes.def"
#undef CAUSE
};

SL_HOLDS(SL_MAX_CAUSES, SL_SIMTY_SLOT_COUNT, "causes of a row's cycles");

const struct sl_causes sl_simty_causes = {causes, SL_SIMTY_SLOT_COUNT};

unsigned sl_simty_profiled(const void *spec)
{
  (void)spec;
  return SL_PROFILE_RETRIES;
}

/* The instruction's number; that of the latest one for a word that was fetched from nowhere. */
static uint32_t index_of(const struct sl_simty_core *sm, uint32_t pc)
{
  const uint32_t index = sl_code_index(&sm->warps.code, pc);
  return index < sm->warps.code.count ? index : sm->s.profile.latest;
}

void sl_simty_profile_start(struct sl_simty_core *sm, uint32_t entry)
{
  memset(&sm->s.profile, 0, sizeof sm->s.profile);
  sm->s.profile.latest = index_of(sm, entry);
  for (unsigned w = 0; w < SL_MAX_WARPS; w++)
    sm->s.profile.last[w] = sm->s.profile.latest;
}

/* The cycles without a pick since the last one go to an instruction. */
static void charge_idle(struct sl_simty_core *sm, uint32_t index)
{
  struct sl_profile_row *row = &sm->environment.profile->rows[index];
  for (unsigned slot = SL_SIMTY_MEMORY; slot < SL_SIMTY_SLOT_COUNT; slot++) {
    row->cycles[slot] += sm->s.counts.slots[slot] - sm->s.profile.charged[slot];
    sm->s.profile.charged[slot] = sm->s.counts.slots[slot];
  }
}

void sl_simty_profile_pick(struct sl_simty_core *sm, unsigned warp)
{
  charge_idle(sm, sm->s.profile.last[warp]);
  sm->s.profile.last[warp] = sm->s.profile.latest = index_of(sm, sm->s.fetch.buffer[warp].pc);
}

void sl_simty_profile_commit(struct sl_simty_core *sm, const struct sl_fetched *word, enum sl_simty_slot slot,
                             unsigned lanes)
{
  struct sl_profile_row *row = &sm->environment.profile->rows[index_of(sm, word->pc)];
  row->cycles[slot]++;
  row->retries += slot == SL_SIMTY_REPLAYED;
  row->vector_issues += slot != SL_SIMTY_WRONG_PATH;
  row->active_lanes += lanes;
}

/* What is under way at the end is charged to itself, idle cycles to the latest instruction. */
void sl_simty_profile_end(struct sl_simty_core *sm)
{
  charge_idle(sm, sm->s.profile.latest);
  for (unsigned t = 0; t < SL_SIMTY_EXECUTED + 1; t++) {
    const struct sl_simty_issue *i = &sm->s.ring[(sm->s.cycle + 1 - t) % SL_SIMTY_RING];
    if (i->valid)
      sm->environment.profile->rows[index_of(sm, i->word.pc)].cycles[SL_SIMTY_IN_FLIGHT]++;
  }
}
