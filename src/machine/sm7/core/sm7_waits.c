#include "machine/sm7/core/sm7_stages.h"

#include <stdlib.h>
#include <string.h>

#include "machine/sm7/core/sm7_events.h"

#define NO_STRETCH UINT32_MAX

enum sl_status sl_sm7_waits_init(struct sl_sm7_waits *w, struct sl_error *err)
{
  enum { FIRST_ROOM = 64 };
  w->room = FIRST_ROOM;
  sl_sm7_waits_reset(w);
  w->span = malloc(FIRST_ROOM * sizeof *w->span);
  return w->span != NULL ? SL_OK : sl_no_memory(err, FIRST_ROOM * sizeof *w->span);
}

void sl_sm7_waits_reset(struct sl_sm7_waits *w)
{
  memset(w->first, 0xff, sizeof w->first);
  memset(w->open, SL_SM7_NONE, sizeof w->open);
  w->free = NO_STRETCH;
  w->fresh = 0;
  w->warps = 0;
}

void sl_sm7_waits_free(struct sl_sm7_waits *w)
{
  free(w->span);
}

static uint32_t take(struct sl_sm7_sm *sm)
{
  struct sl_sm7_waits *w = &sm->waits;
  if (w->free != NO_STRETCH) {
    const uint32_t number = w->free;
    w->free = w->span[number].next;
    return number;
  }
  if (w->fresh == w->room) {
    struct sl_sm7_quantum *more = realloc(w->span, 2 * (size_t)w->room * sizeof *more);
    if (more == NULL) {
      sm->failed = sm->out_of_memory = true;
      return NO_STRETCH;
    }
    w->span = more;
    w->room *= 2;
  }
  return w->fresh++;
}

void sl_sm7_waits_add(struct sl_sm7_sm *sm, unsigned warp, uint64_t from, uint64_t to)
{
  struct sl_sm7_waits *w = &sm->waits;
  const uint32_t number = take(sm);
  if (number == NO_STRETCH)
    return;
  w->span[number] = (struct sl_sm7_quantum){.from = from, .to = to, .next = w->first[warp]};
  w->first[warp] = number;
}

static void close_stretch(struct sl_sm7_sm *sm, unsigned scheduler, uint64_t cycle)
{
  struct sl_sm7_waits *w = &sm->waits;
  const unsigned warp = w->open[scheduler];
  w->open[scheduler] = SL_SM7_NONE;
  if (cycle != w->since[scheduler])
    sl_sm7_waits_add(sm, warp, w->since[scheduler], cycle);
}

void sl_sm7_waits_turn(struct sl_sm7_sm *sm, unsigned scheduler, uint8_t warp, uint64_t cycle)
{
  struct sl_sm7_waits *w = &sm->waits;
  if (w->open[scheduler] != SL_SM7_NONE)
    close_stretch(sm, scheduler, cycle);
  w->open[scheduler] = warp;
  w->since[scheduler] = cycle;
  if (warp != SL_SM7_NONE)
    w->warps |= sl_sm7_bit(warp);
}

static void move_slots(struct sl_sm7_sm *sm, unsigned warp, enum sl_sm7_stall_reason to, uint64_t count)
{
  if (SL_SM7_OBSERVED)
    sl_sm7_event_moved(sm->events, warp, sm->warp[warp].pc, SL_SM7_STALL_REASON_MEMORY, (uint8_t)to, count);
  sm->counts.cause[SL_SM7_STALL_REASON_MEMORY] -= count;
  sm->counts.cause[to] += count;
}

/* The full cycle of a timestamp within the last 65,536 cycles. */
static uint64_t back_then(uint64_t cycle, uint16_t stamp)
{
  const uint64_t ago = (uint16_t)(cycle - stamp);
  return ago < cycle ? cycle - ago : 0;
}

/* Charges the cycles of an interval before `till` to a place; the rest of the interval begins there. */
static void part(struct sl_sm7_sm *sm, unsigned warp, struct sl_sm7_quantum *s, enum sl_sm7_stall_reason place,
                 uint64_t till)
{
  const uint64_t end = till < s->to ? till : s->to;
  if (end <= s->from)
    return;
  move_slots(sm, warp, place, end - s->from);
  s->from = end;
}

void sl_sm7_waits_settle(struct sl_sm7_sm *sm, unsigned warp, enum sl_sm7_stall_reason place,
                         const struct sl_sm7_load *load, uint64_t cycle)
{
  struct sl_sm7_waits *w = &sm->waits;
  const unsigned scheduler = warp % sm->wire.spec->schedulers;
  if (w->open[scheduler] == warp)
    close_stretch(sm, scheduler, cycle);
  w->warps &= ~sl_sm7_bit(warp);
  while (w->first[warp] != NO_STRETCH) {
    const uint32_t number = w->first[warp];
    struct sl_sm7_quantum *s = &w->span[number];
    if (load != NULL && load->away) {
      part(sm, warp, s, SL_SM7_STALL_REASON_L1, back_then(cycle, load->trip.sent));
      part(sm, warp, s, SL_SM7_STALL_REASON_CROSSBAR, back_then(cycle, load->trip.taken));
      part(sm, warp, s, SL_SM7_STALL_REASON_L2, back_then(cycle, load->trip.missed));
      part(sm, warp, s, SL_SM7_STALL_REASON_DRAM, back_then(cycle, load->trip.answered));
      part(sm, warp, s, SL_SM7_STALL_REASON_CROSSBAR, back_then(cycle, load->trip.arrived));
    }
    part(sm, warp, s, place, cycle);
    w->first[warp] = s->next;
    s->next = w->free;
    w->free = number;
  }
}
