#include "machine/sm7/core/sm7_told.h"

#include <stdlib.h>

#include "base/aligned.h"

static void tell(struct sl_sm7_told *t, struct sl_probe probe)
{
  const struct sl_sm7_teller *teller = t->teller;
  if (!sl_probes_want(teller->probes, probe.kind))
    return;
  probe.cycle = teller->cycle;
  probe.launch = teller->launch;
  probe.core = t->sm;
  probe.pc = teller->base + teller->scale * probe.pc;
  probe.warp += t->sm * teller->warps;
  probe.lanes = SL_SM7_LANES;
  sl_tell(teller->probes, &probe);
}

static void tell_of(struct sl_sm7_told *t, enum sl_probe_kind kind, enum sl_sm7_stage stage,
                    const struct sl_sm7_traced *insn)
{
  if (insn->id != 0)
    tell(t,
         (struct sl_probe){
             .kind = kind, .stage = stage, .id = insn->id, .pc = insn->pc, .warp = insn->warp, .active = insn->lanes});
}

struct sl_sm7_told *sl_sm7_told_create(unsigned sms, struct sl_sm7_teller *teller)
{
  struct sl_sm7_told *told = sl_lines_of(sms, sizeof *told);
  for (unsigned i = 0; told != NULL && i < sms; i++) {
    told[i].teller = teller;
    told[i].sm = i;
    for (unsigned k = 0; k < SL_SM7_MAX_SCHEDULERS; k++)
      sl_sm7_told_charged(&told[i], k, SL_SM7_NONE, teller->entry);
  }
  return told;
}

void sl_sm7_told_free(struct sl_sm7_told *told, unsigned sms)
{
  for (unsigned i = 0; told != NULL && i < sms; i++)
    free(told[i].load);
  free(told);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

void sl_sm7_told_fetched(struct sl_sm7_told *t, unsigned warp, const uint32_t buffer[2])
{
  for (unsigned i = 0; i < 2; i++) {
    t->buffer[warp][i] = (struct sl_sm7_traced){.pc = buffer[i], .warp = (uint8_t)warp};
    if (buffer[i] == SL_SM7_NO_PC)
      continue;
    t->buffer[warp][i].id = sl_sm7_told_id(t);
    tell_of(t, SL_PROBE_FETCHED, SL_SM7_TOLD_BUFFER, &t->buffer[warp][i]);
  }
}

void sl_sm7_told_flushed(struct sl_sm7_told *t, unsigned warp)
{
  for (unsigned i = 0; i < 2; i++) {
    tell_of(t, SL_PROBE_FLUSHED, SL_SM7_TOLD_DONE, &t->buffer[warp][i]);
    t->buffer[warp][i].id = 0;
  }
}

void sl_sm7_told_staged(struct sl_sm7_told *t, const struct sl_sm7_traced *insn, enum sl_sm7_stage stage)
{
  tell_of(t, SL_PROBE_STAGED, stage, insn);
}

void sl_sm7_told_retired(struct sl_sm7_told *t, struct sl_sm7_traced *insn)
{
  tell_of(t, SL_PROBE_RETIRED, SL_SM7_TOLD_DONE, insn);
  insn->id = 0;
}

bool sl_sm7_told_load(struct sl_sm7_told *t, uint32_t load, const struct sl_sm7_traced *insn)
{
  enum { LEAST = 256 };
  if (load >= t->loads) {
    uint32_t room = t->loads ? t->loads : LEAST;
    while (room <= load)
      room *= 2;
    struct sl_sm7_traced *more = realloc(t->load, room * sizeof *more);
    if (more == NULL)
      return false;
    for (uint32_t i = t->loads; i < room; i++)
      more[i] = (struct sl_sm7_traced){0};
    t->load = more;
    t->loads = room;
  }
  t->load[load] = *insn;
  return true;
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

void sl_sm7_told_arrived(struct sl_sm7_told *t, const struct sl_sm7_traced *insn)
{
  t->arrived[insn->warp] = *insn;
  tell_of(t, SL_PROBE_ARRIVED, SL_SM7_TOLD_BUFFER, insn);
}

void sl_sm7_told_released(struct sl_sm7_told *t, uint64_t warps)
{
  for (; warps; warps &= warps - 1) {
    struct sl_sm7_traced *insn = &t->arrived[__builtin_ctzll(warps)];
    tell_of(t, SL_PROBE_RELEASED, SL_SM7_TOLD_BUFFER, insn);
    insn->id = 0;
  }
}

/* ---- slots ------------------------------------------------------------------------------------------------------- */

static void tell_waited(struct sl_sm7_told *t, uint8_t warp, uint32_t pc, uint8_t cause, int64_t count,
                        enum sl_probe_idle idle)
{
  tell(t, (struct sl_probe){.kind = SL_PROBE_WAITED,
                            .pc = pc,
                            .warp = warp != SL_SM7_NONE ? warp : 0,
                            .idle = idle,
                            .cause = cause,
                            .count = count});
}

static void tell_slots(struct sl_sm7_told *t, struct sl_sm7_told_slots *s)
{
  if (s->count > 0)
    tell_waited(t, s->warp, s->pc, s->cause, (int64_t)s->count,
                s->warp == SL_SM7_NONE ? SL_PROBE_NO_WARP : SL_PROBE_BUSY);
  s->count = 0;
}

void sl_sm7_told_spent(struct sl_sm7_told *t, unsigned scheduler, uint8_t cause, uint64_t count)
{
  struct sl_sm7_told_slots *s = &t->slots[scheduler];
  const struct sl_sm7_told_slots *now = &t->charged[scheduler];
  if (s->cause != cause || s->pc != now->pc || s->warp != now->warp)
    tell_slots(t, s);
  *s = (struct sl_sm7_told_slots){.count = s->count + count, .pc = now->pc, .cause = cause, .warp = now->warp};
  t->spent += count;
}

void sl_sm7_told_moved(struct sl_sm7_told *t, unsigned warp, uint32_t pc, uint8_t from, uint8_t to, uint64_t count)
{
  tell_waited(t, (uint8_t)warp, pc, from, -(int64_t)count, SL_PROBE_BUSY);
  tell_waited(t, (uint8_t)warp, pc, to, (int64_t)count, SL_PROBE_BUSY);
}

void sl_sm7_told_flush(struct sl_sm7_told *t)
{
  for (unsigned k = 0; k < SL_SM7_MAX_SCHEDULERS; k++)
    tell_slots(t, &t->slots[k]);
}

/* Only loads without a destination can still be in flight. */
void sl_sm7_told_end(struct sl_sm7_told *t, uint64_t slots)
{
  sl_sm7_told_flush(t);
  if (slots > t->spent)
    tell_waited(t, SL_SM7_NONE, t->teller->entry, SL_SM7_STALL_REASON_EMPTY, (int64_t)(slots - t->spent),
                SL_PROBE_NO_BLOCK);
  for (uint32_t i = 0; i < t->loads; i++)
    sl_sm7_told_retired(t, &t->load[i]);
}
