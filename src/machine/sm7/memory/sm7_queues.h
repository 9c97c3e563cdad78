/* Virtual output queues of a crossbar: an input has a queue for each output, and its packets share its storage. With
 * one FIFO per input the front packet holds up those behind it, so that of uniform traffic at most 59 % crosses (Karol,
 * Hluchyj, Morgan: Input versus output queueing on a space-division packet switch, 1987).
 *
 * A cycle has iterations of three steps (McKeown: The iSLIP scheduling algorithm for input-queued switches, 1999): an
 * input requests all outputs for which it has packets; an output that has room grants one of its requests; an input
 * accepts one of its grants. Both choose round robin, and begin after the last that was accepted in a first iteration.
 * Inputs and outputs without a partner iterate until there is no further grant. An input sends one packet in a cycle.
 *
 * Sources for V100: its SMs read 2,155 GB/s from L2 (Jia et al., arXiv:1804.06826), 76 % of what its 64 slices
 * deliver at 1,380 MHz. That NVIDIA's crossbar has such queues and arbiters is not published. */
#ifndef SL_MACHINE_SM7_QUEUES_H
#define SL_MACHINE_SM7_QUEUES_H

#include "machine/sm7/memory/sm7_crossbar.h"

struct sl_sm7_queue {
  uint16_t first, last; /* slots of the input's storage */
};

struct sl_sm7_queues {
  struct sl_sm7_queue *queue; /* input x outputs + output; valid if the input wants the output */
  uint16_t *next;             /* input x packets + slot: the slot behind it in its queue, or in the free list */
  uint16_t free[SL_SM7_PORTS];
  sl_sm7_ports wants[SL_SM7_PORTS]; /* outputs for which an input has packets */
  uint8_t accept[SL_SM7_PORTS];     /* the output at which an input begins its search */
};

enum sl_status sl_sm7_queues_init(struct sl_sm7_crossbar *x, struct sl_error *err);
void sl_sm7_queues_free(struct sl_sm7_crossbar *x);
void sl_sm7_queues_push(struct sl_sm7_crossbar *x, unsigned writer, unsigned input, unsigned output,
                        const struct sl_sm7_packet *p);
void sl_sm7_queues_cycle(struct sl_sm7_crossbar *x);

/* The slot of the queue's first packet; `next` of it is the second's. */
static inline unsigned sl_sm7_queues_first(const struct sl_sm7_crossbar *x, unsigned input, unsigned output)
{
  return x->queues->queue[input * x->outputs + output].first;
}

static inline unsigned sl_sm7_queues_next(const struct sl_sm7_crossbar *x, unsigned input, unsigned slot)
{
  return x->queues->next[input * x->in[input].size + slot];
}

/* The last packet of a queue has no next one. */
static inline bool sl_sm7_queues_is_last(const struct sl_sm7_crossbar *x, unsigned input, unsigned output,
                                         unsigned slot)
{
  return slot == x->queues->queue[input * x->outputs + output].last;
}

#endif
