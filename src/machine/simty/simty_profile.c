/* Charging cycles and events to instructions; nothing here runs unless someone profiles. */
#include <string.h>

#include "machine/simty/simty_sm.h"

static const enum sl_cause causes[SL_SIMTY_SLOT_COUNT] = {
    [SL_SIMTY_ISSUED] = SL_CAUSE_ISSUE,      [SL_SIMTY_REPLAYED] = SL_CAUSE_RETRY,
    [SL_SIMTY_WRONG_PATH] = SL_CAUSE_BUBBLE, [SL_SIMTY_MEMORY] = SL_CAUSE_MEMORY,
    [SL_SIMTY_BANK] = SL_CAUSE_PIPELINE,     [SL_SIMTY_FETCH] = SL_CAUSE_PIPELINE,
    [SL_SIMTY_INITIAL] = SL_CAUSE_PIPELINE,  [SL_SIMTY_UNIT] = SL_CAUSE_UNIT,
    [SL_SIMTY_BARRIER] = SL_CAUSE_BARRIER,
};

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
    row->cycles[causes[slot]] += sm->s.counts.slots[slot] - sm->s.profile.charged[slot];
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
  row->cycles[causes[slot]]++;
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
      sm->environment.profile->rows[index_of(sm, i->word.pc)].cycles[SL_CAUSE_PIPELINE]++;
  }
}
