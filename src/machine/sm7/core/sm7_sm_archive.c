#include "machine/sm7/core/sm7_sm_archive.h"

#include "base/validate.h"
#include "machine/sm7/core/sm7_flight_archive.h"
#include "machine/sm7/core/sm7_waits.h"

static void sets_archive(struct sl_archive *b, struct sl_sm7_sm *sm)
{
  uint64_t *const sets[] = {&sm->present, &sm->live,  &sm->buffered,     &sm->hazard,     &sm->on_load,  &sm->barrier,
                            &sm->atomic,  &sm->fence, &sm->fence_passed, &sm->fence_done, &sm->finished, &sm->missing};
  for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++) {
    SL_ARCHIVE(b, *sets[i]);
    sl_archive_expect(b, (*sets[i] & ~sl_low_bits(sm->wire.spec->warps)) == 0);
  }
}

/* Active and pending warps belong to the scheduler, each once. */
static bool levels_valid(const struct sl_sm7_sm *sm, unsigned scheduler)
{
  const struct sl_sm7_levels *l = &sm->levels[scheduler];
  uint64_t seen = l->active;
  for (unsigned i = 0; i < l->count && i < SL_SM7_MAX_WARPS; i++) {
    if (l->pending[i] >= SL_SM7_MAX_WARPS || (seen & sl_sm7_bit(l->pending[i])))
      return false;
    seen |= sl_sm7_bit(l->pending[i]);
  }
  return l->count <= SL_SM7_MAX_WARPS && seen == sm->of_scheduler[scheduler];
}

static bool ages_valid(const struct sl_sm7_sm *sm)
{
  uint64_t seen = 0;
  for (unsigned i = 0; i < sm->aged && i < SL_SM7_MAX_WARPS; i++) {
    if (sm->by_age[i] >= sm->wire.spec->warps || (seen & sl_sm7_bit(sm->by_age[i])))
      return false;
    seen |= sl_sm7_bit(sm->by_age[i]);
  }
  return sm->aged <= SL_SM7_MAX_WARPS;
}

static uint8_t warp_archive(struct sl_archive *b, uint8_t warp, unsigned warps)
{
  SL_ARCHIVE(b, warp);
  sl_archive_expect(b, warp < warps || warp == SL_SM7_NONE);
  return warp;
}

static void schedulers_archive(struct sl_archive *b, struct sl_sm7_sm *sm)
{
  const struct sl_sm7_spec *s = sm->wire.spec;
  for (unsigned k = 0; k < s->schedulers; k++) {
    sm->last[k] = warp_archive(b, sm->last[k], s->warps);
    sm->cause[k] = (uint8_t)sl_archive_number(b, sm->cause[k], SL_SM7_STALL_REASONS - 1);
    sm->cause_warp[k] = warp_archive(b, sm->cause_warp[k], s->warps);
    SL_ARCHIVE(b, sm->levels[k]);
    sl_archive_expect(b, levels_valid(sm, k));
  }
  SL_ARCHIVE(b, sm->by_age);
  SL_ARCHIVE(b, sm->aged);
  sl_archive_expect(b, ages_valid(sm));
  sm->first_scheduler = sl_archive_number(b, sm->first_scheduler, s->schedulers - 1);
  sm->fetched = warp_archive(b, sm->fetched, s->warps);
  sm->last_fetched = (uint8_t)sl_archive_number(b, sm->last_fetched, s->warps - 1);
}

/* The units that will write the pending registers. */
static void writers_archive(struct sl_archive *b, struct sl_sm7_sm *sm)
{
  for (unsigned w = 0; w < sm->wire.spec->warps; w++)
    for (unsigned i = 0; i < SL_SM7_REGISTERS / 64; i++)
      for (uint64_t rest = sm->warp[w].busy[i]; rest; rest &= rest - 1) {
        uint8_t *unit = &sm->writer[w][64 * i + sl_lowest(rest)];
        *unit = (uint8_t)sl_archive_number(b, *unit, SL_SM7_UNITS - 1);
      }
}

static void basic_blocks_archive(struct sl_archive *b, struct sl_sm7_sm *sm, unsigned warp)
{
  enum { MOST = 1 << 20 };
  const struct sl_sm7_waits *w = &sm->waits;
  uint32_t count = 0, next = sl_archive_reads(b) ? UINT32_MAX : w->first[warp];
  for (uint32_t i = next; i != UINT32_MAX; i = w->span[i].next)
    count++;
  count = sl_archive_number(b, count, MOST);
  for (uint32_t i = 0; i < count && !b->bad; i++) {
    struct sl_sm7_quantum s = {0};
    if (!sl_archive_reads(b)) {
      s = w->span[next];
      next = s.next;
    }
    SL_ARCHIVE(b, s.from);
    SL_ARCHIVE(b, s.to);
    if (sl_archive_expect(b, s.from < s.to && s.to <= sm->slept_from) && sl_archive_reads(b))
      sl_sm7_waits_add(sm, warp, s.from, s.to);
  }
}

static void waits_archive(struct sl_archive *b, struct sl_sm7_sm *sm)
{
  const struct sl_sm7_spec *s = sm->wire.spec;
  struct sl_sm7_waits *w = &sm->waits;
  for (unsigned warp = 0; warp < s->warps; warp++)
    basic_blocks_archive(b, sm, warp);
  SL_ARCHIVE(b, w->warps);
  for (unsigned k = 0; k < s->schedulers; k++) {
    w->open[k] = warp_archive(b, w->open[k], s->warps);
    SL_ARCHIVE(b, w->since[k]);
    sl_archive_expect(b,
                      w->open[k] == SL_SM7_NONE || (w->open[k] % s->schedulers == k && w->since[k] <= sm->slept_from));
  }
}

static bool phases_valid(const struct sl_sm7_sm *sm)
{
  for (unsigned w = 0; w < SL_SM7_MAX_WARPS; w++)
    if (sm->phases.of[w] > SL_SM7_PHASE_REST)
      return false;
  return sl_bool_valid(&sm->phases.coefficients) && sl_bool_valid(&sm->phases.open) &&
         (sm->phases.held & ~sm->barrier) == 0;
}

void sl_sm7_sm_archive(struct sl_sm7_archive *t, struct sl_sm7_sm *sm)
{
  struct sl_archive *b = &t->bytes;
  sets_archive(b, sm);
  sl_archive_bytes(b, sm->warp, t->spec->warps * sizeof *sm->warp);
  SL_ARCHIVE(b, sm->next_age);
  SL_ARCHIVE(b, sm->next_order);
  SL_ARCHIVE(b, sm->block);
  SL_ARCHIVE(b, sm->phases);
  sl_archive_expect(b, phases_valid(sm));
  SL_ARCHIVE(b, sm->used_slots);
  sm->blocks = sl_archive_number(b, sm->blocks, SL_SM7_MAX_BLOCKS);
  SL_ARCHIVE(b, sm->given);
  schedulers_archive(b, sm);
  SL_ARCHIVE(b, sm->counts);
  SL_ARCHIVE(b, sm->slept_from);
  writers_archive(b, sm);
  waits_archive(b, sm);
  sl_sm7_flight_archive(t, sm);
}

static bool block_valid(const struct sl_sm7_sm *sm, unsigned slot)
{
  const struct sl_sm7_block *b = &sm->block[slot];
  const uint64_t warps = sl_low_bits(sm->warps_per_block) << slot * sm->warps_per_block;
  uint64_t at = 0;
  for (unsigned i = 0; i < SL_SM7_BARRIERS; i++)
    at |= b->at[i];
  return b->warps == warps && b->active == (sm->live & warps) && (at & ~warps) == 0 && b->left > 0 &&
         b->left == (unsigned)__builtin_popcountll(sm->present & warps);
}

/* A warp's place is its number. The front end validates its PCs and its stack. */
static bool warp_valid(const struct sl_sm7_sm *sm, unsigned number)
{
  const struct sl_sm7_warp *w = &sm->warp[number];
  const struct sl_sm7_front *front = sm->wire.front;
  const bool live = sm->live >> number & 1;
  unsigned pending = 0;
  uint32_t pc = 0;
  if (w->slot >= SL_SM7_MAX_BLOCKS || !(sm->used_slots >> w->slot & 1) || w->index >= sm->warps_per_block ||
      w->slot * sm->warps_per_block + w->index != number || w->next > 1 || w->waits_on >= SL_SM7_REGISTERS)
    return false;
  for (unsigned i = 0; i < SL_SM7_REGISTERS / 64; i++)
    pending += (unsigned)__builtin_popcountll(w->busy[i]);
  if (pending != w->pending)
    return false;
  return !live || (front->lanes(front->context, sm->id, w->slot, w->index, &pc) != 0 && pc == w->pc);
}

static bool warps_valid(const struct sl_sm7_sm *sm)
{
  uint64_t all = 0;
  for (unsigned slot = 0; slot < SL_SM7_MAX_BLOCKS; slot++)
    if (sm->used_slots >> slot & 1)
      all |= sm->block[slot].warps;
  if ((sm->present & ~all) || (sm->live & ~sm->present) || (sm->finished & ~(sm->present & ~sm->live)) ||
      (sm->fence & ~sm->live) || (sm->fence_done & ~sm->live))
    return false;
  for (uint64_t rest = sm->present; rest; rest &= rest - 1)
    if (!warp_valid(sm, sl_lowest(rest)))
      return false;
  return true;
}

bool sl_sm7_sm_valid(const struct sl_sm7_sm *sm, uint64_t next_block, uint64_t cycle)
{
  const bool given = sm->given != SL_SM7_NO_BLOCK;
  if ((sm->used_slots & ~(uint32_t)sl_low_bits(sm->limit)) != 0 ||
      sm->blocks != (unsigned)__builtin_popcount(sm->used_slots) || sm->blocks + given > sm->limit ||
      (given && sm->given >= next_block) || (sm->blocks > 0 && sm->slept_from > cycle))
    return false;
  for (unsigned slot = 0; slot < SL_SM7_MAX_BLOCKS; slot++)
    if ((sm->used_slots >> slot & 1) && !block_valid(sm, slot))
      return false;
  return warps_valid(sm);
}

bool sl_sm7_sm_at_rest(const struct sl_sm7_sm *sm)
{
  return sm->blocks == 0 && sm->used_slots == 0 && sm->present == 0 && sm->live == 0 && sm->finished == 0 &&
         sm->fence == 0 && sm->fence_done == 0;
}
