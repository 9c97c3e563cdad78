/* SIMTight's multiplier, which also executes shifts: three stages and a two-entry result queue, one warp instruction
 * per cycle. The scalar pipeline steps this model. Vector pipelines use timing/pipeline/multiplier_events.h, which test
 * builds compare with it.
 *
 * The result of an instruction accepted in e leaves stage 3 in e+3 and is in the result queue from e+4 on. The pipeline
 * stalls while stage 3 holds a result and the queue is full. It accepts nothing then. Source: published RTL of
 * SIMTight; paper, section III-A, stage 5. */
#ifndef SL_UNIT_MULTIPLIER_H
#define SL_UNIT_MULTIPLIER_H

#include "base/queues.h"

enum { SL_MULTIPLIER_STAGES = 3, SL_MULTIPLIER_RING = 4 };
SL_HOLDS(SL_MULTIPLIER_RING, SL_MULTIPLIER_STAGES + 1, "a stage each, and the one being filled");

struct sl_multiplier {
  unsigned occupied; /* bit s: stage s+1 holds an instruction */
  unsigned head;     /* stage s+1 is ring slot head - s: incrementing head advances the stages */
  struct sl_response ring[SL_MULTIPLIER_RING];
  struct sl_register_queue result;
};

static inline void sl_multiplier_init(struct sl_multiplier *m)
{
  *m = (struct sl_multiplier){.result.drained = SL_NEVER_DRAINED};
}

static inline bool sl_multiplier_busy(const struct sl_multiplier *m)
{
  return m->occupied != 0 || m->result.count > 0;
}

/* Performs one cycle, after the consumer of the result queue. Returns whether an instruction can enter in this
 * cycle. */
static inline bool sl_multiplier_cycle(struct sl_multiplier *m, int64_t now)
{
  const unsigned last = 1u << (SL_MULTIPLIER_STAGES - 1);
  if (m->occupied & last) {
    if (!sl_register_can_put(&m->result, now))
      return false;
    sl_register_put(&m->result, m->ring[(m->head - (SL_MULTIPLIER_STAGES - 1)) % SL_MULTIPLIER_RING]);
    m->occupied &= ~last;
  }
  m->head++;
  m->occupied <<= 1;
  return true;
}

/* Enters an instruction; only if sl_multiplier_cycle returned true in this cycle. */
static inline void sl_multiplier_put(struct sl_multiplier *m, struct sl_response response)
{
  m->ring[m->head % SL_MULTIPLIER_RING] = response;
  m->occupied |= 1;
}

#endif
