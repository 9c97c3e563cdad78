/* The coalescing unit: turns a warp's vector of requests into few wide DRAM transactions, and passes requests for the
 * scratchpad on.
 *
 * Stages, idle timing relative to the execute cycle e: the memory request FIFO (visible e+1); 0 take a request vector
 * (e+1); 1 leader = lowest pending lane (e+2); 2 leader's address (e+3); 3 evaluate strategies (e+4); 4 decide, issue,
 * feed the remaining lanes back to stage 1 (e+5); 5 DRAM issue register (e+6). Stage 0 injects when nothing is fed back
 * and stage 4 does not stall, or stage 1 is empty. A stall freezes stages 3 and 4; stages 2 and 1 only when the next
 * one is occupied. Stage 4 is busy for DRAM while stage 5 is occupied, even in the cycle it drains: transactions leave
 * at most every two cycles. Stage 5 holds a load one cycle, a store one cycle per beat. Strategies: same-block in word,
 * half or byte mode when it serves the leader and another lane, else same-address. Stage 6 takes one DRAM beat per
 * cycle in order and one more cycle to hand over the assembled vector. Paper, section III-A, coalescing unit; constants
 * from the published RTL. */
#ifndef SL_MEM_COALESCER_H
#define SL_MEM_COALESCER_H

#include "base/queues.h"
#include "isa/lanes.h"
#include "mem/dram.h"
#include "mem/request.h"
#include "mem/scratchpad.h"
#include "mem/stack_cache.h"

enum {
  SL_REQUEST_FIFO_MAX = 64,
  SL_REQUEST_SPARE = 5, /* one for each of stages 1 to 4, and the one being filled in */
  SL_REQUEST_POOL = SL_REQUEST_FIFO_MAX + SL_REQUEST_SPARE,
  SL_IN_FLIGHT_MAX = 64
};

struct sl_coalescer_spec {
  unsigned lanes;
  unsigned beat_bytes;      /* of one DRAM beat */
  unsigned fifo_depth;      /* memory request FIFO */
  unsigned in_flight_depth; /* DRAM transactions whose answer is awaited, in order */
  uint32_t stack_base;      /* in memory; stacks reach to the end of the address space */
};

struct sl_in_flight {
  struct sl_response response;
  uint64_t beats; /* 0: answered by the stack cache, nothing comes from DRAM */
};

struct sl_coalescer {
  struct sl_coalescer_spec spec;

  bool active; /* a request is somewhere in stages 0 to 5 */
  /* Requests live in a pool; the FIFO and the stages hold indices, so that nothing is copied. */
  uint8_t free[SL_REQUEST_POOL];
  uint8_t free_count;
  uint8_t fifo[SL_REQUEST_FIFO_MAX];
  uint8_t fifo_head, fifo_count;
  int64_t fifo_taken;
  int16_t stage[5]; /* request in stages 1 to 4, -1 for none; [0] unused */
  struct sl_selection selection;

  bool issue_full; /* stage 5 */
  bool issue_store;
  unsigned issue_beats, issue_sent;
  struct sl_in_flight issue;

  /* In-order queue of transactions whose answer is awaited, and its output register. */
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

/* Room in the request FIFO, as its registers show it in cycle now. */
static inline bool sl_coalescer_can_put(const struct sl_coalescer *c, int64_t now)
{
  return c->fifo_count + (c->fifo_taken == now) < (int)c->spec.fifo_depth;
}

/* A request to fill in before sl_coalescer_put. */
static inline struct sl_request *sl_coalescer_next(struct sl_coalescer *c)
{
  return &c->pool[c->free[c->free_count - 1]];
}

/* Enters the request that sl_coalescer_next returned into the FIFO. */
void sl_coalescer_put(struct sl_coalescer *c);

/* Stage 6, in a cycle's order the first of the memory path. Returns whether it took a DRAM beat. */
bool sl_coalescer_respond(struct sl_coalescer *c, struct sl_dram *dram, int64_t now);

/* Stages 5 to 0, after DRAM and scratchpad have had their cycle; ops are those for the lanes. A stack cache without
 * entries is none. */
void sl_coalescer_cycle(struct sl_coalescer *c, const struct sl_lane_ops *ops, struct sl_dram *dram,
                        struct sl_scratchpad *scratchpad, struct sl_stack_cache *cache, int64_t now);

/* Answers awaited or under way. */
static inline bool sl_coalescer_responding(const struct sl_coalescer *c)
{
  return c->head_ready || c->in_flight_count > 0 || c->response.full;
}

/* Chooses what one pass over the pending lanes serves; the strategies of the paper. Exposed for its tests. */
struct sl_selection sl_coalescer_select(const struct sl_coalescer_spec *spec, const struct sl_lane_ops *ops,
                                        const struct sl_request *request);

/* Beats of a block: a word for every lane. */
unsigned sl_coalescer_block_beats(const struct sl_coalescer_spec *spec);

#endif
