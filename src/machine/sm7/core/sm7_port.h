/* The path of an SM's packets to L2: its cluster's input of the crossbar, or, with perfect memory, directly to the
 * cluster's queue of answers. */
#ifndef SL_MACHINE_SM7_PORT_H
#define SL_MACHINE_SM7_PORT_H

#include "machine/sm7/core/sm7_sm.h"

static inline void sl_sm7_send(struct sl_sm7_sm *sm, const struct sl_sm7_packet *p)
{
  struct sl_sm7_packet sent = *p;
  const uint16_t cycle = (uint16_t)sl_sm7_this_cycle(sm);
  sent.trip = (struct sl_sm7_trip){cycle, cycle, cycle, cycle, cycle};
  if (sm->wire.spec->perfect_memory)
    sl_sm7_ring_push(sm->wire.ejection, &sent);
  else
    sl_sm7_crossbar_push(sm->wire.requests, sm->wire.part, sm->cluster, p->slice, &sent);
}

static inline bool sl_sm7_can_send(const struct sl_sm7_sm *sm)
{
  return sm->wire.spec->perfect_memory ? !sl_sm7_ring_full(sm->wire.ejection)
                                       : !sl_sm7_ring_full(&sm->wire.requests->in[sm->cluster]);
}

/* Sends the front of a line cache's miss queue; one packet per call. */
static inline void sl_sm7_send_miss(struct sl_sm7_sm *sm, struct sl_sm7_line_cache *c)
{
  const struct sl_sm7_packet *p = sl_sm7_line_cache_request(c);
  if (p == NULL || !sl_sm7_can_send(sm))
    return;
  sl_sm7_send(sm, p);
  sl_sm7_line_cache_sent(c);
}

#endif
