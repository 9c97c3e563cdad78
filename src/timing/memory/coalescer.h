/* The coalescing unit of SIMTight: combines a warp's requests into few wide DRAM transactions, and forwards scratchpad
 * requests. The functions that step cycle by cycle are the reference model of test builds; machines use
 * timing/memory/events/request_path.h, with the strategies below.
 *
 * Timing without stalls, relative to the execute cycle e:
 *   memory request FIFO  the request is visible in e+1
 *   stage 0 (e+1)  takes a request vector
 *   stage 1 (e+2)  selects the leader, the lowest pending lane
 *   stage 2 (e+3)  selects the leader's address
 *   stage 3 (e+4)  evaluates the strategies
 *   stage 4 (e+5)  decides, issues, and feeds the remaining lanes back to stage 1
 *   stage 5 (e+6)  DRAM issue register
 * Stage 0 injects when stage 4 feeds nothing back and does not stall, or when stage 1 is empty. A stall freezes stages
 * 3 and 4; it freezes stages 2 and 1 only when the next stage is occupied. Stage 4 is busy for DRAM while stage 5 is
 * occupied, even in the cycle that drains it: transactions leave at most every two cycles. Stage 5 holds a load one
 * cycle, and a store one cycle per beat. Strategies: same-block in word, half or byte mode if it serves the leader and
 * another lane, else same-address. Stage 6 takes one DRAM beat per cycle in order. It needs one more cycle to hand over
 * the assembled vector.
 *
 * Source: SIMTight paper, section III-A, coalescing unit; constants from the published RTL. */
#ifndef SL_MEM_COALESCER_H
#define SL_MEM_COALESCER_H

#include "base/queues.h"
#include "isa/lanes.h"
#include "mem/request.h"
#include "timing/memory/dram.h"
#include "timing/memory/scratchpad.h"
#include "timing/memory/stack_cache.h"

enum {
  SL_REQUEST_FIFO_MAX = 64,
  SL_REQUEST_SPARE = 5, /* one for each of stages 1 to 4, and the one being filled in */
  SL_REQUEST_POOL = SL_REQUEST_FIFO_MAX + SL_REQUEST_SPARE,
  SL_IN_FLIGHT_MAX = 64
};

struct sl_coalescer_spec {
  unsigned lanes;
  unsigned beat_bytes;      /* of one DRAM beat */
  unsigned fifo_depth;      /* entries of the memory request FIFO */
  unsigned in_flight_depth; /* entries of the in-order queue of DRAM transactions that await answers */
  uint32_t stack_base;      /* first address of the stacks, which extend to the end of the address space */
};

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

/* Chooses the lanes that one pass serves by the paper's strategies. Public for tests. */
struct sl_selection sl_coalescer_select(const struct sl_coalescer_spec *spec, const struct sl_lane_ops *ops,
                                        const struct sl_request *request);

/* Beats of a block of one word per lane. */
unsigned sl_coalescer_block_beats(const struct sl_coalescer_spec *spec);

const struct sl_schema *sl_coalescer_spec_schema(void);

#endif
