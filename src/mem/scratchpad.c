#include "mem/scratchpad.h"

#include <string.h>

void sl_scratchpad_init(struct sl_scratchpad *s)
{
  memset(s, 0, sizeof *s);
  s->queue_drained = s->response.drained = SL_NEVER_DRAINED;
}

/* Bank arbitration: a pass of the oldest request, which leaves the queue with its last one. */
static struct sl_scratchpad_stage arbitrate(struct sl_scratchpad *s, int64_t now)
{
  if (s->queued == 0 || now < s->queue_entered[0] + 2)
    return (struct sl_scratchpad_stage){.full = false};
  const struct sl_scratchpad_request request = s->queue[0];
  bool last = ++s->passes_done >= request.passes;
  s->passes++;
  if (last) {
    s->requests++;
    s->passes_done = 0;
    s->queue[0] = s->queue[1];
    s->queue_entered[0] = s->queue_entered[1];
    s->queued--;
    s->queue_drained = now;
  }
  return (struct sl_scratchpad_stage){
      .full = true, .last = last, .responds = request.responds, .response = request.response};
}

void sl_scratchpad_cycle(struct sl_scratchpad *s, int64_t now)
{
  struct sl_scratchpad_stage *stage = s->stage;
  const bool blocked = s->respond && !sl_shift_can_put(&s->response, now);
  const bool stall = blocked && stage[5].full;
  if (s->respond && !blocked) {
    sl_shift_put(&s->response, s->accumulated);
    s->respond = false;
  }
  if (stage[5].full && !blocked && stage[5].last) {
    s->respond = true;
    s->accumulated = stage[5].response;
  }
  if (!stall) {
    struct sl_scratchpad_stage entering = arbitrate(s, now);
    stage[5] = stage[4];
    stage[4] = stage[3];
    stage[4].full &= stage[4].responds; /* nothing to answer: done after the operation */
    stage[3] = stage[2];
    stage[2] = stage[1];
    stage[1] = entering;
  }
  s->active = s->queued > 0 || s->respond || stage[1].full || stage[2].full || stage[3].full || stage[4].full ||
              stage[5].full;
}

unsigned sl_scratchpad_schedule(const uint32_t *address, sl_lanes lanes, unsigned banks, uint8_t order[SL_MAX_LANES])
{
  const sl_lanes streams = sl_low_bits(banks);
  unsigned passes = 0, n = 0;
  while (lanes) {
    sl_lanes offered = 0; /* streams that offer a lane */
    for (unsigned shift = 0; shift < SL_MAX_LANES; shift += banks)
      offered |= (lanes >> shift) & streams;
    uint64_t taken = 0; /* banks */
    for (sl_lanes rest = offered; rest; rest &= rest - 1) {
      unsigned lane = sl_lowest(rest);
      while (!(lanes >> lane & 1))
        lane += banks;
      uint64_t bank = sl_bit((address[lane] >> 2) & (banks - 1));
      if (taken & bank)
        continue;
      taken |= bank;
      order[n++] = (uint8_t)lane;
      lanes &= ~sl_bit(lane);
    }
    passes++;
  }
  return passes;
}
