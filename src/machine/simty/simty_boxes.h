/* Test builds: multiplier and scratchpad box by box and cycle by cycle, beside those by events, which must answer the
 * same in every cycle. Without SL_CHECK_INVARIANTS there is nothing of this.
 *
 * The boxes begin with a kernel. What a checkpoint holds is not theirs: after one they begin when nothing is under way.
 */
#ifndef SL_MACHINE_SIMTY_BOXES_H
#define SL_MACHINE_SIMTY_BOXES_H

#include "mem/scratchpad.h"

struct sl_simty_core;

#ifdef SL_CHECK_INVARIANTS

/* False: no memory. */
bool sl_simty_boxes_create(struct sl_simty_core *sm);
void sl_simty_boxes_free(struct sl_simty_core *sm);

/* A kernel starts; and: a state has been restored. */
void sl_simty_boxes_start(struct sl_simty_core *sm);
void sl_simty_boxes_lose(struct sl_simty_core *sm);

/* What enters the scratchpad, and the multiplier, in this cycle. */
void sl_simty_boxes_put(struct sl_simty_core *sm, const struct sl_scratchpad_request *request);
void sl_simty_boxes_multiply(struct sl_simty_core *sm, struct sl_response response);

/* Before what the units by events have is taken in cycle now: takes it of the boxes, and has their cycle; and after it.
 */
void sl_simty_boxes_cycle(struct sl_simty_core *sm, int64_t now);
void sl_simty_boxes_compare(struct sl_simty_core *sm, int64_t now);

#else

static inline bool sl_simty_boxes_create(struct sl_simty_core *sm)
{
  (void)sm;
  return true;
}

static inline void sl_simty_boxes_free(struct sl_simty_core *sm)
{
  (void)sm;
}

static inline void sl_simty_boxes_start(struct sl_simty_core *sm)
{
  (void)sm;
}

static inline void sl_simty_boxes_lose(struct sl_simty_core *sm)
{
  (void)sm;
}

static inline void sl_simty_boxes_put(struct sl_simty_core *sm, const struct sl_scratchpad_request *request)
{
  (void)sm, (void)request;
}

static inline void sl_simty_boxes_multiply(struct sl_simty_core *sm, struct sl_response response)
{
  (void)sm, (void)response;
}

static inline void sl_simty_boxes_cycle(struct sl_simty_core *sm, int64_t now)
{
  (void)sm, (void)now;
}

static inline void sl_simty_boxes_compare(struct sl_simty_core *sm, int64_t now)
{
  (void)sm, (void)now;
}

#endif

#endif
