/* Test builds: the memory path and the multiplier box by box and cycle by cycle, beside those by events, which must
 * answer the same in every cycle. Without SL_CHECK_INVARIANTS there is nothing of this.
 *
 * The boxes begin with a kernel. What a checkpoint holds is not theirs: after one they begin when nothing is under way.
 */
#ifndef SL_MACHINE_SIMTIGHT_BOXES_H
#define SL_MACHINE_SIMTIGHT_BOXES_H

#include "base/queues.h"
#include "mem/request.h"

struct sl_simtight_sm;

#ifdef SL_CHECK_INVARIANTS

/* False: no memory. */
bool sl_simtight_boxes_create(struct sl_simtight_sm *sm);
void sl_simtight_boxes_free(struct sl_simtight_sm *sm);

/* A kernel starts; and: a state has been restored. */
void sl_simtight_boxes_start(struct sl_simtight_sm *sm);
void sl_simtight_boxes_lose(struct sl_simtight_sm *sm);

/* The request that is about to enter the FIFO, the response that enters the multiplier. */
void sl_simtight_boxes_put(struct sl_simtight_sm *sm, const struct sl_request *request);
void sl_simtight_boxes_multiply(struct sl_simtight_sm *sm, struct sl_response response);

/* Before the cycle of the units by events, when results have been written; and after it: has it, and compares. */
void sl_simtight_boxes_cycle(struct sl_simtight_sm *sm, int64_t now);
void sl_simtight_boxes_compare(struct sl_simtight_sm *sm, int64_t now);

/* So many cycles from this one on are skipped. */
void sl_simtight_boxes_skip(struct sl_simtight_sm *sm, int64_t cycles);

#else

static inline bool sl_simtight_boxes_create(struct sl_simtight_sm *sm)
{
  (void)sm;
  return true;
}

static inline void sl_simtight_boxes_free(struct sl_simtight_sm *sm)
{
  (void)sm;
}

static inline void sl_simtight_boxes_start(struct sl_simtight_sm *sm)
{
  (void)sm;
}

static inline void sl_simtight_boxes_lose(struct sl_simtight_sm *sm)
{
  (void)sm;
}

static inline void sl_simtight_boxes_put(struct sl_simtight_sm *sm, const struct sl_request *request)
{
  (void)sm, (void)request;
}

static inline void sl_simtight_boxes_multiply(struct sl_simtight_sm *sm, struct sl_response response)
{
  (void)sm, (void)response;
}

static inline void sl_simtight_boxes_cycle(struct sl_simtight_sm *sm, int64_t now)
{
  (void)sm, (void)now;
}

static inline void sl_simtight_boxes_compare(struct sl_simtight_sm *sm, int64_t now)
{
  (void)sm, (void)now;
}

static inline void sl_simtight_boxes_skip(struct sl_simtight_sm *sm, int64_t cycles)
{
  (void)sm, (void)cycles;
}

#endif

#endif
