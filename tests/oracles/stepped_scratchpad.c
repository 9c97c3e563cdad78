#include "stepped_scratchpad.h"

#include <string.h>

enum { ACCUMULATE = 1u << SL_SCRATCHPAD_STAGES }; /* bit of that stage */

void sl_scratchpad_init(struct sl_scratchpad *s)
{
  memset(s, 0, sizeof *s);
  s->queue_drained = s->response.drained = SL_NEVER_DRAINED;
}

/* Bank arbitration: a pass of the oldest request enters stage 1. With its last pass the request leaves the queue. */
static void arbitrate(struct sl_scratchpad *s, int64_t now)
{
  if (s->queued == 0 || now < s->queue_entered[0] + 2)
    return;
  const struct sl_scratchpad_request *request = &s->queue[0];
  s->ring[s->head % SL_SCRATCHPAD_RING] = request->response;
  s->full |= 1u << 1;
  s->responds |= request->responds << 1;
  s->passes++;
  if (++s->passes_done < request->passes)
    return;
  s->last |= 1u << 1;
  s->passes_done = 0;
  s->words += request->words;
  s->queue[0] = s->queue[1];
  s->queue_entered[0] = s->queue_entered[1];
  s->queued--;
  s->queue_drained = now;
  s->requests++;
}

/* Advances all stages. A pass without an answer ends after its operation. */
static void advance(struct sl_scratchpad *s)
{
  const unsigned stages = ((1u << SL_SCRATCHPAD_STAGES) - 1) << 1, answering = 1u << 4;
  s->full = (s->full << 1) & stages;
  s->last = (s->last << 1) & stages;
  s->responds = (s->responds << 1) & stages;
  s->full &= ~answering | s->responds;
  s->head++;
}

/* The last two stages, while they hold an answer. Returns whether that stalls the others. */
static bool answer(struct sl_scratchpad *s, int64_t now)
{
  const bool blocked = s->respond && !sl_shift_can_put(&s->response, now);
  const bool stall = blocked && (s->full & ACCUMULATE);
  if (s->respond && !blocked) {
    sl_shift_put(&s->response, s->accumulated);
    s->respond = false;
  }
  if ((s->full & s->last & ACCUMULATE) && !blocked) {
    s->respond = true;
    s->accumulated = s->ring[(s->head - (SL_SCRATCHPAD_STAGES - 1)) % SL_SCRATCHPAD_RING];
  }
  return stall;
}

void sl_scratchpad_cycle(struct sl_scratchpad *s, int64_t now)
{
  const bool answers = s->respond || (s->full & s->last & ACCUMULATE);
  const bool stall = answers && answer(s, now);
  if (!stall) {
    advance(s);
    arbitrate(s, now);
  }
  s->active = s->queued > 0 || s->respond || s->full;
}
