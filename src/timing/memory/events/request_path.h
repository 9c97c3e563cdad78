/* Event-driven model of SIMTight's memory path from a warp's request to its answer: the coalescing unit's FIFO and
 * stages 0 to 4, DRAM and scratchpad behind them, and the merge of their answers.
 *
 * When stage 4 issues a pass, the model computes all cycles that are known then (dram_events.h, scratchpad.h).
 * Only two parts are simulated cycle by cycle: the earlier stages while they contain a request, and the merge while
 * there is an answer. Timing and source as in coalescer.h; the merge is fair. The model selects the lanes of a pass as
 * soon as they are known, not in stage 3: nothing changes them on the way.
 *
 * Requests carry the cycle of their put, and stage 0 takes them in later cycles. So the path may run some cycles behind
 * the unit that puts them. */
#ifndef SL_MEM_EVENTS_REQUEST_PATH_H
#define SL_MEM_EVENTS_REQUEST_PATH_H

#include "timing/memory/coalescer.h"
#include "timing/memory/events/dram_events.h"
#include "timing/memory/scratchpad.h"

struct sl_request_path {
  struct sl_coalescer_spec spec;

  uint32_t stages; /* byte s - 1: 1 + the request in stage s, 0 for none */
  int64_t wake;    /* stage 4 stalls before this cycle, and the stages behind it wait */
  uint8_t fifo_head, fifo_count;
  uint8_t free_count;
  bool last_was_dram; /* the merge's last choice; survives kernels */
  int64_t fifo_taken; /* the latest cycle in which stage 0 took a request */

  struct sl_scratchpad_events scratchpad;
  struct sl_dram_events dram;

  uint8_t free[SL_REQUEST_POOL];
  uint8_t fifo[SL_REQUEST_FIFO_MAX];
  int64_t put[SL_REQUEST_FIFO_MAX];   /* the cycles of the puts */
  uint64_t passes, stack_load_passes; /* counters */
  uint64_t answered;                  /* answered lanes */
  struct sl_request pool[SL_REQUEST_POOL];
};

const struct sl_schema *sl_request_path_schema(void);

/* Initialises the path at the start of a kernel. */
void sl_request_path_init(struct sl_request_path *p, const struct sl_coalescer_spec *spec, unsigned dram_latency,
                          unsigned dram_outstanding);

/* Whether the request FIFO has room in cycle now, according to its registers. The path must have simulated cycle
 * now. */
static inline bool sl_request_path_can_put(const struct sl_request_path *p, int64_t now)
{
  return p->fifo_count + (p->fifo_taken == now) < (int)p->spec.fifo_depth;
}

/* Returns the request to fill in before sl_request_path_put. */
static inline struct sl_request *sl_request_path_next(struct sl_request_path *p)
{
  return &p->pool[p->free[p->free_count - 1]];
}

/* Enters the request of sl_request_path_next into the FIFO. */
void sl_request_path_put(struct sl_request_path *p, const struct sl_lane_ops *ops, int64_t now);

/* The request in stage 4, or -1. */
static inline int sl_request_path_deciding(const struct sl_request_path *p)
{
  return (int)(p->stages >> 24) - 1;
}

/* The request in a stage from 1 to 4, or -1. */
static inline int sl_request_path_stage(const struct sl_request_path *p, unsigned stage)
{
  return (int)(p->stages >> 8 * (stage - 1) & 0xff) - 1;
}

/* Performs stages 4 to 0 with a request in stage 4. A stack cache without entries is disabled. */
void sl_request_path_decide(struct sl_request_path *p, const struct sl_lane_ops *ops, struct sl_stack_cache *cache,
                            int64_t now);

/* Stage 0 takes the oldest request of the FIFO if it was put before this cycle. Returns 1 + its index, or 0. The code
 * has no branch on whether there is one: that is hard to predict. */
static inline uint32_t sl_request_path_take(struct sl_request_path *p, int64_t now)
{
  const unsigned head = p->fifo_head, taken = (p->fifo_count > 0) & (p->put[head] < now);
  p->fifo_head = (uint8_t)((head + taken) % SL_REQUEST_FIFO_MAX);
  p->fifo_count = (uint8_t)(p->fifo_count - taken);
  p->fifo_taken += (now - p->fifo_taken) * taken;
  return taken * (1u + p->fifo[head]);
}

/* Performs a cycle of stages 4 to 0. */
static inline void sl_request_path_cycle(struct sl_request_path *p, const struct sl_lane_ops *ops,
                                         struct sl_stack_cache *cache, int64_t now)
{
  if (p->stages >> 24 == 0)
    p->stages = p->stages << 8 | sl_request_path_take(p, now);
  else if (now >= p->wake)
    sl_request_path_decide(p, ops, cache, now);
}

/* Whether DRAM or the scratchpad has an answer for the merge's output register. */
static inline bool sl_request_path_can_answer(const struct sl_request_path *p, int64_t now)
{
  return (p->scratchpad.answer < now) | (p->dram.answer < now);
}

/* Performs the fair 2:1 merge of their answers in cycle now, before stages 4 to 0. */
struct sl_response sl_request_path_answer(struct sl_request_path *p, int64_t now);

/* Whether the FIFO or stages 1 to 4 contain a request. */
static inline bool sl_request_path_active(const struct sl_request_path *p)
{
  return p->stages != 0 || p->fifo_count > 0;
}

/* The first cycle from now on in which a request moves or an answer can be taken if nothing is put; SL_NEVER: none. */
int64_t sl_request_path_next_event(const struct sl_request_path *p, int64_t now);

/* Whether anything is in flight after the cycles before now. */
bool sl_request_path_busy(const struct sl_request_path *p, int64_t now);

#endif
