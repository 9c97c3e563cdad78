#include "machine/sm7/core/sm7_stages.h"

#include "machine/sm7/core/sm7_events.h"
#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/core/sm7_warps.h"
#include "machine/sm7/memory/sm7_slice.h"

void sl_sm7_flush(struct sl_sm7_sm *sm, unsigned warp)
{
  struct sl_sm7_warp *w = &sm->warp[warp];
  if (SL_SM7_OBSERVED)
    sl_sm7_event_flushed(sm->events, warp);
  for (unsigned i = 0; i < 2; i++)
    w->in_pipe -= w->buffer[i] != SL_SM7_NO_PC;
  w->buffer[0] = w->buffer[1] = SL_SM7_NO_PC;
  sm->buffered &= ~sl_sm7_bit(warp);
}

static void decode(struct sl_sm7_sm *sm)
{
  struct sl_sm7_warp *w = &sm->warp[sm->fetched];
  const uint32_t behind = sl_sm7_behind(sm, w->fetch_pc);
  const bool two = behind < sm->wire.front->count;
  w->buffer[0] = w->fetch_pc;
  w->buffer[1] = two ? behind : SL_SM7_NO_PC;
  w->next = 0;
  w->in_pipe += two ? 2 : 1;
  sm->buffered |= sl_sm7_bit(sm->fetched);
  if (SL_SM7_OBSERVED)
    sl_sm7_event_fetched(sm->events, sm->fetched, w->buffer);
  sm->fetched = SL_SM7_NONE;
}

static void retire(struct sl_sm7_sm *sm, uint64_t warps)
{
  for (; warps; warps &= warps - 1) {
    const unsigned warp = (unsigned)__builtin_ctzll(warps), slot = sm->warp[warp].slot;
    sm->finished &= ~sl_sm7_bit(warp);
    sm->present &= ~sl_sm7_bit(warp);
    if (--sm->block[slot].left == 0) {
      sm->used_slots &= ~(1u << slot);
      sm->blocks--;
    }
  }
}

/* The bits of a set from a place on, followed by those before it. */
static uint64_t from_place(uint64_t set, unsigned place)
{
  return place < 64 ? set >> place << place : 0;
}

/* The next warp in turn that wants instructions; retires ended warps on the way. */
static unsigned choose(struct sl_sm7_sm *sm, uint64_t wanting)
{
  const unsigned first = sm->last_fetched + 1u;
  const uint64_t later = from_place(wanting, first);
  const unsigned warp = (unsigned)__builtin_ctzll(later ? later : wanting);
  const uint64_t before = sl_sm7_bit(warp) - 1;
  if (sm->finished)
    retire(sm, sm->finished & (later ? from_place(before, first) : from_place(~UINT64_C(0), first) | before));
  sm->last_fetched = (uint8_t)warp;
  return warp;
}

static void read_cache(struct sl_sm7_sm *sm, unsigned warp, uint64_t now)
{
  const struct sl_sm7_front *front = sm->wire.front;
  const uint64_t address = front->code_address + (uint64_t)sm->warp[warp].fetch_pc * front->code_bytes;
  const struct sl_sm7_packet p = {.address = address,
                                  .sm = (uint16_t)sm->id,
                                  .slice = sl_sm7_place(sm->wire.spec, address).slice,
                                  .kind = SL_SM7_READ_SECTOR,
                                  .client = SL_SM7_TO_FETCH};
  const enum sl_sm7_line_outcome outcome = sl_sm7_line_cache_read(&sm->instructions, &p, warp, now);
  sm->counts.fetches += outcome != SL_SM7_LINE_BLOCKED;
  if (outcome == SL_SM7_LINE_HIT)
    sm->fetched = (uint8_t)warp;
  else if (outcome == SL_SM7_LINE_MISS)
    sm->missing |= sl_sm7_bit(warp);
}

/* Warps for which instructions can be fetched. */
static uint64_t who_wants(struct sl_sm7_sm *sm, uint64_t now)
{
  const uint64_t wanting = sm->live & ~sm->buffered & ~sm->missing;
  return sm->phases.linear && sm->wire.spec->linear_fetch ? sl_sm7_phases_fetchable(sm, wanting, now) : wanting;
}

static void step_with_cache(struct sl_sm7_sm *sm, uint64_t now)
{
  if (sm->fetched != SL_SM7_NONE)
    decode(sm);
  const uint64_t wanting = who_wants(sm, now);
  if (sl_sm7_line_cache_has_answer(&sm->instructions)) {
    sm->fetched = (uint8_t)sl_sm7_line_cache_answer(&sm->instructions);
    sm->missing &= ~sl_sm7_bit(sm->fetched);
  } else if (wanting) {
    read_cache(sm, choose(sm, wanting), now);
  } else {
    retire(sm, sm->finished);
  }
  sl_sm7_send_miss(sm, &sm->instructions);
}

void sl_sm7_fetch(struct sl_sm7_sm *sm, uint64_t now)
{
  const bool cached = sm->wire.spec->icache;
  for (unsigned step = 0; step < sm->wire.spec->fetches; step++) {
    if (cached) {
      step_with_cache(sm, now);
      continue;
    }
    if (sm->fetched != SL_SM7_NONE)
      decode(sm);
    const uint64_t wanting = who_wants(sm, now);
    if (!wanting) {
      retire(sm, sm->finished);
      return;
    }
    sm->fetched = (uint8_t)choose(sm, wanting);
    sm->counts.fetches++;
  }
}

void sl_sm7_instructions_came(struct sl_sm7_sm *sm, const struct sl_sm7_packet *p, uint64_t now)
{
  sl_sm7_line_cache_fill(&sm->instructions, p, now);
}

bool sl_sm7_fetches(const struct sl_sm7_sm *sm)
{
  return sm->fetched != SL_SM7_NONE || (sm->live & ~sm->buffered & ~sm->missing) || sm->finished ||
         sm->instructions.unsent_count || sl_sm7_line_cache_has_answer(&sm->instructions);
}
