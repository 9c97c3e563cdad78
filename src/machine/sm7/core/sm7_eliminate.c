#include "machine/sm7/core/sm7_stages.h"

#include "machine/sm7/core/sm7_events.h"
#include "machine/sm7/core/sm7_warps.h"

/* Continues fetch after the skipped instructions. After a skipped jump the buffered instructions are discarded later,
 * when the mismatch is detected. */
static void fetch_behind(const struct sl_sm7_sm *sm, unsigned warp, struct sl_sm7_warp *w, uint32_t from)
{
  if (w->fetch_pc == from)
    w->fetch_pc = w->pc;
  if (w->buffer[w->next] != from)
    return;
  w->buffer[w->next] = w->pc;
  if (w->next == 0 && w->buffer[1] != SL_SM7_NO_PC)
    w->buffer[1] = sl_sm7_behind(sm, w->pc);
  if (SL_SM7_OBSERVED) {
    sl_sm7_event_flushed(sm->events, warp);
    sl_sm7_event_fetched(sm->events, warp, w->buffer);
  }
}

void sl_sm7_pass(struct sl_sm7_sm *sm, unsigned warp)
{
  struct sl_sm7_warp *w = &sm->warp[warp];
  struct sl_sm7_passed passed = {.straight = true};
  const struct sl_sm7_front *front = sm->wire.front;
  sm->failed |= !front->pass(front->context, sm->id, w->slot, w->index, &passed);
  if (passed.instructions == 0)
    return;
  const uint32_t from = w->pc;
  sm->counts.strayed += passed.strays;
  sm->counts.passed += passed.instructions;
  sm->counts.passed_lanes += passed.lanes;
  w->pc = passed.next;
  if (passed.straight)
    fetch_behind(sm, warp, w, from);
}
