#include "machine/vortex/core/vortex_flight.h"

void sl_vortex_insert(const struct sl_vortex_pipeline *core, struct sl_vortex_queue *q, uint16_t op, uint64_t ready)
{
  uint32_t at = q->count++;
  for (; at > 0; at--) {
    const struct sl_vortex_entry *before = sl_vortex_entry(core, q, at - 1);
    if (before->ready <= ready)
      break;
    *sl_vortex_entry(core, q, at) = *before;
  }
  *sl_vortex_entry(core, q, at) = (struct sl_vortex_entry){ready, op, false};
}

void sl_vortex_result(struct sl_vortex_pipeline *core, uint16_t op, uint64_t ready, bool last)
{
  sl_vortex_look_at(core, SL_STAGE_COMMIT, ready);
  sl_vortex_push(core, &core->s.result[core->op[op].slice][core->op[op].facts.unit], op, ready, last);
}
