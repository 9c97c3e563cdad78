#include "machine/sm7/core/sm7_events.h"

#include <stdlib.h>

#include "base/arrays.h"

static void tell(struct sl_sm7_events *t, struct sl_probe probe)
{
  const struct sl_sm7_observation *observation = t->observation;
  if (!sl_probes_want(observation->probes, probe.kind))
    return;
  probe.cycle = observation->cycle;
  probe.launch = observation->launch;
  probe.core = t->sm;
  probe.pc = observation->base + observation->scale * probe.pc;
  probe.warp += t->sm * observation->warps;
  probe.lanes = SL_SM7_LANES;
  sl_tell(observation->probes, &probe);
}

static void tell_of(struct sl_sm7_events *t, enum sl_probe_kind kind, enum sl_sm7_stage stage,
                    const struct sl_sm7_in_flight *insn)
{
  if (insn->id != 0)
    tell(t,
         (struct sl_probe){
             .kind = kind, .stage = stage, .id = insn->id, .pc = insn->pc, .warp = insn->warp, .active = insn->lanes});
}

struct sl_sm7_events *sl_sm7_events_create(unsigned sms, struct sl_sm7_observation *observation)
{
  struct sl_sm7_events *events = sl_lines_of(sms, sizeof *events);
  for (unsigned i = 0; events != NULL && i < sms; i++) {
    events[i].observation = observation;
    events[i].sm = i;
    for (unsigned k = 0; k < SL_SM7_MAX_SCHEDULERS; k++)
      sl_sm7_event_charged(&events[i], k, SL_SM7_NONE, observation->entry);
  }
  return events;
}

void sl_sm7_events_free(struct sl_sm7_events *events, unsigned sms)
{
  for (unsigned i = 0; events != NULL && i < sms; i++)
    free(events[i].load);
  free(events);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

void sl_sm7_event_fetched(struct sl_sm7_events *t, unsigned warp, const uint32_t buffer[2])
{
  for (unsigned i = 0; i < 2; i++) {
    t->buffer[warp][i] = (struct sl_sm7_in_flight){.pc = buffer[i], .warp = (uint8_t)warp};
    if (buffer[i] == SL_SM7_NO_PC)
      continue;
    t->buffer[warp][i].id = sl_sm7_event_id(t);
    tell_of(t, SL_PROBE_FETCHED, SL_SM7_STAGE_BUFFER, &t->buffer[warp][i]);
  }
}

void sl_sm7_event_flushed(struct sl_sm7_events *t, unsigned warp)
{
  for (unsigned i = 0; i < 2; i++) {
    tell_of(t, SL_PROBE_FLUSHED, SL_SM7_STAGE_DONE, &t->buffer[warp][i]);
    t->buffer[warp][i].id = 0;
  }
}

void sl_sm7_event_staged(struct sl_sm7_events *t, const struct sl_sm7_in_flight *insn, enum sl_sm7_stage stage)
{
  tell_of(t, SL_PROBE_STAGED, stage, insn);
}

void sl_sm7_event_retired(struct sl_sm7_events *t, struct sl_sm7_in_flight *insn)
{
  tell_of(t, SL_PROBE_RETIRED, SL_SM7_STAGE_DONE, insn);
  insn->id = 0;
}

bool sl_sm7_event_load(struct sl_sm7_events *t, uint32_t load, const struct sl_sm7_in_flight *insn)
{
  enum { LEAST = 256 };
  if (load >= t->loads) {
    uint32_t room = t->loads ? t->loads : LEAST;
    while (room <= load)
      room *= 2;
    struct sl_sm7_in_flight *more = realloc(t->load, room * sizeof *more);
    if (more == NULL)
      return false;
    for (uint32_t i = t->loads; i < room; i++)
      more[i] = (struct sl_sm7_in_flight){0};
    t->load = more;
    t->loads = room;
  }
  t->load[load] = *insn;
  return true;
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

void sl_sm7_event_arrived(struct sl_sm7_events *t, const struct sl_sm7_in_flight *insn)
{
  t->arrived[insn->warp] = *insn;
  tell_of(t, SL_PROBE_ARRIVED, SL_SM7_STAGE_BUFFER, insn);
}

void sl_sm7_event_released(struct sl_sm7_events *t, uint64_t warps)
{
  for (; warps; warps &= warps - 1) {
    struct sl_sm7_in_flight *insn = &t->arrived[__builtin_ctzll(warps)];
    tell_of(t, SL_PROBE_RELEASED, SL_SM7_STAGE_BUFFER, insn);
    insn->id = 0;
  }
}

/* ---- slots ------------------------------------------------------------------------------------------------------- */

static void tell_waited(struct sl_sm7_events *t, uint8_t warp, uint32_t pc, uint8_t cause, int64_t count,
                        enum sl_probe_idle idle)
{
  tell(t, (struct sl_probe){.kind = SL_PROBE_WAITED,
                            .pc = pc,
                            .warp = warp != SL_SM7_NONE ? warp : 0,
                            .idle = idle,
                            .cause = cause,
                            .count = count});
}

static void tell_slots(struct sl_sm7_events *t, struct sl_sm7_unreported *s)
{
  if (s->count > 0)
    tell_waited(t, s->warp, s->pc, s->cause, (int64_t)s->count,
                s->warp == SL_SM7_NONE ? SL_PROBE_NO_WARP : SL_PROBE_BUSY);
  s->count = 0;
}

void sl_sm7_event_spent(struct sl_sm7_events *t, unsigned scheduler, uint8_t cause, uint64_t count)
{
  struct sl_sm7_unreported *s = &t->slots[scheduler];
  const struct sl_sm7_unreported *now = &t->charged[scheduler];
  if (s->cause != cause || s->pc != now->pc || s->warp != now->warp)
    tell_slots(t, s);
  *s = (struct sl_sm7_unreported){.count = s->count + count, .pc = now->pc, .cause = cause, .warp = now->warp};
  t->spent += count;
}

void sl_sm7_event_moved(struct sl_sm7_events *t, unsigned warp, uint32_t pc, uint8_t from, uint8_t to, uint64_t count)
{
  tell_waited(t, (uint8_t)warp, pc, from, -(int64_t)count, SL_PROBE_BUSY);
  tell_waited(t, (uint8_t)warp, pc, to, (int64_t)count, SL_PROBE_BUSY);
}

void sl_sm7_events_flush(struct sl_sm7_events *t)
{
  for (unsigned k = 0; k < SL_SM7_MAX_SCHEDULERS; k++)
    tell_slots(t, &t->slots[k]);
}

/* Only loads without a destination can still be in flight. */
void sl_sm7_events_end(struct sl_sm7_events *t, uint64_t cycles, unsigned schedulers)
{
  const uint64_t slots = cycles * schedulers;
  sl_sm7_events_flush(t);
  for (uint64_t rest = slots > t->spent ? slots - t->spent : 0, part; rest > 0; rest -= part) {
    part = rest < cycles ? rest : cycles;
    tell_waited(t, SL_SM7_NONE, t->observation->entry, SL_SM7_STALL_REASON_EMPTY, (int64_t)part, SL_PROBE_NO_BLOCK);
  }
  for (uint32_t i = 0; i < t->loads; i++)
    sl_sm7_event_retired(t, &t->load[i]);
}
