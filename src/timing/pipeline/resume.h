/* SIMTight's resume queue and its merge. They collect results of memory and units; one per cycle is written to the
 * register file.
 *
 * A memory answer enters a register, and from there the queue. The queue is written in a cycle in which the result of
 * the previously executed instruction does not use the port. Registers and queue are pipeline queues: they refill in
 * the cycle in which they drain. Of several results the merge takes one, in the order of the hardware's reduction tree:
 * memory, multiplier, divider without an FPU; multiplier, divider, memory, FPU with one. Source: paper, section III-A,
 * stage 5; published RTL.
 *
 * The code here has no branches on which unit has a result: that is hard to predict. */
#ifndef SL_UNIT_RESUME_H
#define SL_UNIT_RESUME_H

#include "base/queues.h"
#include "timing/pipeline/arithmetic_units.h"

/* Sources of results. */
enum { SL_RESUME_QUEUE, SL_RESUME_MEMORY, SL_RESUME_PRODUCT, SL_RESUME_PLACES };

struct sl_resume {
  unsigned full; /* bit n: source n; without products, since the multiplier knows their times */
  struct sl_response item[SL_RESUME_PLACES];
};

static inline bool sl_resume_has(const struct sl_resume *r, unsigned place)
{
  return r->full >> place & 1;
}

static inline void sl_resume_put(struct sl_resume *r, unsigned place, struct sl_response item)
{
  r->item[place] = item;
  r->full |= 1u << place;
}

static inline struct sl_response sl_resume_take(struct sl_resume *r, unsigned place)
{
  r->full &= ~(1u << place);
  return r->item[place];
}

/* Copies the multiplier's oldest product; after an instruction has entered the multiplier or a product has left it. */
static inline void sl_resume_show_product(struct sl_resume *r, const struct sl_multiplier_events *m)
{
  sl_response_copy(&r->item[SL_RESUME_PRODUCT], &m->response[m->head]);
}

/* Performs a merge cycle in which only memory and multiplier can have results. */
static inline __attribute__((always_inline)) void sl_resume_merge(struct sl_resume *r, struct sl_multiplier_events *m,
                                                                  int64_t now)
{
  const unsigned room = ~r->full & 1, answer = room & r->full >> SL_RESUME_MEMORY;
  const unsigned product = room & ~answer & (m->product < now);
  sl_response_copy(&r->item[SL_RESUME_QUEUE], &r->item[answer * SL_RESUME_MEMORY + product * SL_RESUME_PRODUCT]);
  r->full = (r->full | answer | product) & ~(answer << SL_RESUME_MEMORY);
  if (!product)
    return;
  sl_multiplier_events_take(m, now);
  sl_resume_show_product(r, m);
}

#endif
