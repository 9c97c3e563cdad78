/* Validates bytes as the state of a Simty core (base/validate.h). */
#include "machine/simty/simty_sm.h"
#include "mem/events/events_validate.h"
#include "mem/path_validate.h"
#include "unit/units_validate.h"
#include "warp/validate/warps_validate.h"

/* Checks that a pc is in the program, or 0 for none. */
static bool place_valid(const struct sl_simty_core *sm, uint32_t pc)
{
  return pc == 0 || !sl_path_warps_outside(&sm->warps, pc);
}

static bool ring_valid(const struct sl_simty_state *s, struct sl_shape shape)
{
  for (unsigned i = 0; i < SL_SIMTY_RING; i++) {
    const struct sl_simty_issue *r = &s->ring[i];
    if (!SL_BOOLS_VALID(&r->word.valid, &r->valid, &r->requests, &r->redirects) || r->word.warp >= shape.warps)
      return false;
  }
  return true;
}

/* Checks the beats of reads that warps await. */
static bool dram_valid(const struct sl_simty_core *sm, const struct sl_simty_state *s)
{
  const struct sl_simty_dram *d = &s->dram;
  if (!SL_BOOLS_VALID(&d->full, &d->store) || d->head >= SL_MAX_WARPS || d->count > SL_MAX_WARPS ||
      d->beats > UINT8_MAX || d->sent > d->beats)
    return false;
  for (unsigned i = 0; i < SL_MAX_WARPS; i++)
    if (d->warp[i] >= sm->spec.warps)
      return false;
  return sl_dram_valid(&d->dram, sm->spec.dram_latency, sm->spec.dram_outstanding, (int64_t)s->cycle);
}

static bool account_valid(const struct sl_simty_core *sm, const struct sl_simty_state *s)
{
  for (unsigned w = 0; w < sm->spec.warps; w++)
    if (!place_valid(sm, s->account.last[w]) || (s->account.executed[w] & ~sm->warps.all) != 0)
      return false;
  return place_valid(sm, s->account.latest);
}

/* Checks that done_left threads have not stored their done word. */
static bool done_valid(const struct sl_simty_core *sm, const struct sl_simty_state *s)
{
  unsigned done = 0;
  for (unsigned w = 0; w < sm->spec.warps; w++) {
    if ((s->done[w] & ~sm->warps.all) != 0)
      return false;
    done += sl_count(s->done[w]);
  }
  return s->launches == 0 || s->done_left + done == sm->spec.warps * sm->spec.lanes;
}

static bool units_valid(const struct sl_simty_core *sm, const struct sl_simty_state *s, struct sl_shape shape)
{
  const int64_t now = (int64_t)s->cycle;
  return sl_fetch_valid(&s->fetch, sm->warps.code.word_bytes, shape) &&
         sl_load_fifo_valid(&s->loads, now, (int64_t)sm->spec.memory_latency + SL_SIMTY_RING, shape) &&
         sl_multiplier_events_valid(&s->multiplier, now, shape) && sl_divider_valid(&s->divider, now, shape) &&
         sl_fpu_valid(&s->fpu, shape) && sl_scratchpad_events_valid(&s->scratchpad, now, shape) &&
         sl_barrier_valid(&s->barrier, shape) && sl_request_valid(&s->request, shape);
}

static bool state_valid(const struct sl_simty_core *sm, const struct sl_simty_state *s)
{
  const struct sl_shape shape = {sm->spec.warps, sm->warps.all};
  return s->cycle < (uint64_t)SL_CYCLES_MAX && (unsigned)s->state < SL_SM_FAULTED &&
         (s->state == SL_SM_IDLE || s->launches > 0) && sl_bool_valid(&s->success) &&
         sl_warps_valid(s->busy | s->waits_for_memory | s->ended, shape) && s->blocked <= 3 && ring_valid(s, shape) &&
         dram_valid(sm, s) && account_valid(sm, s) && done_valid(sm, s) && units_valid(sm, s, shape);
}

static bool no_paths(const struct sl_sorted_paths *p)
{
  return p->running.lanes == 0 && p->next.lanes == 0 && p->cold_count == 0;
}

enum sl_status sl_simty_fits(struct sl_sm *handle, bool timing, const uint8_t *bytes, size_t size)
{
  (void)timing;
  const struct sl_simty_core *sm = sl_simty_of_const(handle);
  struct sl_state_part part[SL_SIMTY_PARTS];
  sl_simty_parts(sm, part);
  if (size != sl_state_parts_size(part, SL_SIMTY_PARTS))
    return SL_USAGE;
  sl_state_parts_look(part, SL_SIMTY_PARTS, bytes);
  const struct sl_simty_state *s = part[SL_SIMTY_PART_STATE].bytes;
  const struct sl_path_warps_state *threads = part[SL_SIMTY_PART_WARPS].bytes;
  const struct sl_sorted_paths *paths = part[SL_SIMTY_PART_PATHS].bytes;
  const struct sl_insn *insn = part[SL_SIMTY_PART_CODE].bytes;
  for (unsigned w = 0; w < sm->spec.warps; w++)
    if (!(s->launches == 0 && no_paths(&paths[w])) && !sl_sorted_paths_valid(&paths[w], sm->warps.all))
      return SL_USAGE;
  return sl_bool_valid(&threads->timing) && state_valid(sm, s) && sl_insns_valid(&sm->warps.code, insn) &&
                 sl_time_slice_valid(part[SL_SIMTY_PART_TURN].bytes, sm->spec.warps)
             ? SL_OK
             : SL_USAGE;
}
