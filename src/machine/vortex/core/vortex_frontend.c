#include "machine/vortex/core/vortex_frontend.h"

unsigned sl_vortex_fetch_horizon(const struct sl_vortex_spec *s)
{
  const unsigned decode = s->decode_delay > s->decode_release ? s->decode_delay : s->decode_release;
  const unsigned behind = s->icache.latency + decode + 1;
  const bool own = sl_vortex_socket_cores(s) == 1 && sl_vortex_cache(s, SL_VORTEX_ICACHE).banks == 1;
  return s->fetch_queue > 0 && !s->execute_at_schedule && own && behind < SL_VORTEX_WHEEL ? SL_VORTEX_WHEEL - behind
                                                                                          : 0;
}

void sl_vortex_no_program(struct sl_vortex_pipeline *core, unsigned warp)
{
  core->warps->fault = (struct sl_fault){.kind = SL_FAULT_FETCH,
                                         .warp = (int)warp,
                                         .lanes = core->warps->warp[warp].mask,
                                         .pc = core->warps->warp[warp].pc,
                                         .cycle = core->s.cycle};
  core->s.faulted = true;
}

bool sl_vortex_advance_extended(struct sl_vortex_pipeline *core, unsigned warp, uint16_t index)
{
  struct sl_vortex_op *op = &core->op[index];
  core->extended[index] = (struct sl_extended){0};
  const bool allowed =
      sl_ipdom_schedule(core->warps, warp, sl_vortex_insn(core, op), &op->mask, &core->extended[index]);
  core->s.faulted |= !allowed;
  return allowed;
}

/* One per cycle; a freed place can be reused in the next cycle. */
void sl_vortex_request(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_front *front = &core->s.front;
  const uint32_t number = front->moved, place = number % SL_MAX_WARPS, room = core->spec->fetch_queue;
  const uint64_t cycle = core->s.cycle;
  if (front->ready[place] <= cycle && front->buffer_free[(number - 1) % SL_MAX_WARPS] <= cycle &&
      number - front->first < room && front->request_free[(number - room) % SL_MAX_WARPS] <= cycle) {
    front->ready[place] = cycle + core->spec->fetch_delay - 1;
    front->buffer_free[place] = cycle + 1;
    front->moved++;
  }
}

bool sl_vortex_decode(struct sl_vortex_pipeline *core, uint16_t index)
{
  if (!sl_vortex_has_buffer(core, index)) {
    core->s.counts.ibuffer_stalls++;
    return false;
  }
  sl_vortex_into_buffer(core, index, core->s.cycle);
  return true;
}

/* In a core that has faulted, no further instruction leaves the scheduler's buffer. */
struct sl_vortex_fetches sl_vortex_fetches_to_come(const struct sl_vortex_pipeline *core)
{
  const struct sl_vortex_front *front = &core->s.front;
  const uint64_t stopped = core->s.faulted ? core->warps->fault.cycle : UINT64_MAX;
  struct sl_vortex_fetches fetches = {0};
  for (unsigned i = 0; i < SL_MAX_WARPS; i++) {
    const bool never = front->buffer_free[i] > stopped;
    if (front->decoded[i] == 0 || (!never && front->decoded[i] <= core->s.cycle))
      continue;
    fetches.reads += never || front->request_free[i] > core->s.cycle;
    fetches.decoded++;
    fetches.cycles += front->decoded[i] - 1;
  }
  return fetches;
}
