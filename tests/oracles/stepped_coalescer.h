/* The oracle of timing/memory/coalescer.h: the coalescing unit, whose stages
 * advance in every cycle. */
#ifndef SL_STEPPED_COALESCER_H
#define SL_STEPPED_COALESCER_H

#include "stepped_scratchpad.h"
#include "timing/memory/coalescer.h"
#include "timing/memory/dram.h"

struct sl_in_flight {
  struct sl_response response;
  uint64_t beats; /* 0: answered by the stack cache, no DRAM beats */
};

struct sl_coalescer {
  struct sl_coalescer_spec spec;

  bool active; /* stages 0 to 5 contain a request */
  /* A pool holds the requests. The FIFO and the stages hold indices into it, so that nothing is copied. */
  uint8_t free[SL_REQUEST_POOL];
  uint8_t free_count;
  uint8_t fifo[SL_REQUEST_FIFO_MAX];
  uint8_t fifo_head, fifo_count;
  int64_t fifo_taken;
  int16_t stage[5]; /* request in stages 1 to 4, or -1; [0] unused */
  struct sl_selection selection;

  bool issue_full; /* stage 5 */
  bool issue_store;
  bool issue_updates; /* an atomic's read, which its store follows */
  unsigned issue_beats, issue_sent;
  struct sl_in_flight issue;

  /* In-order queue of transactions that await answers, and its output register. */
  struct sl_in_flight in_flight[SL_IN_FLIGHT_MAX];
  uint8_t in_flight_head, in_flight_count;
  int64_t in_flight_drained;
  bool head_ready;
  struct sl_in_flight head;
  unsigned beats_taken;
  bool assembled;

  struct sl_shift_queue response; /* to the merge with the scratchpad's answers */

  uint64_t passes, stack_load_passes; /* counters */
  struct sl_request pool[SL_REQUEST_POOL];
};

void sl_coalescer_init(struct sl_coalescer *c, const struct sl_coalescer_spec *spec);

/* Whether the request FIFO has room in cycle now, according to its registers. */
static inline bool sl_coalescer_can_put(const struct sl_coalescer *c, int64_t now)
{
  return c->fifo_count + (c->fifo_taken == now) < (int)c->spec.fifo_depth;
}

/* Returns the request to fill in before sl_coalescer_put. */
static inline struct sl_request *sl_coalescer_next(struct sl_coalescer *c)
{
  return &c->pool[c->free[c->free_count - 1]];
}

/* Enters the request of sl_coalescer_next into the FIFO. */
void sl_coalescer_put(struct sl_coalescer *c);

/* Performs stage 6, the first step of a memory-path cycle. Returns whether it took a DRAM beat. */
bool sl_coalescer_respond(struct sl_coalescer *c, struct sl_dram *dram, int64_t now);

/* Performs stages 5 to 0, after the cycles of DRAM and scratchpad. `ops` are the operations for this number of lanes. A
 * stack cache without entries is disabled. */
void sl_coalescer_cycle(struct sl_coalescer *c, const struct sl_lane_ops *ops, struct sl_dram *dram,
                        struct sl_scratchpad *scratchpad, struct sl_stack_cache *cache, int64_t now);

/* Whether answers are awaited or in flight. */
static inline bool sl_coalescer_responding(const struct sl_coalescer *c)
{
  return c->head_ready || c->in_flight_count > 0 || c->response.full;
}

#endif
