/* The coalescing unit of SIMTight: combines a warp's requests into few wide DRAM transactions, and forwards scratchpad
 * requests. This header has its strategies; timing/memory/events/request_path.h simulates it by events, and
 * tests/oracles/stepped_coalescer.h cycle by cycle.
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
 * Atomics on DRAM (key global_atomics; ours, the published hardware has them in the scratchpad only): a pass serves the
 * lanes of a block, whose words differ, or else the leader alone. Lanes with one address are served one by one, the
 * lowest first. Stage 5 sends a read of the pass's beats, and then a store of as many beats. So the pass occupies it
 * for 1 + beats cycles. Arithmetic units at the memory's port compute the stored words. The port serves transactions in
 * order, so no other access comes between read and store. Lanes wait for the answer of the read, also if rd is x0.
 *
 * Source: SIMTight paper, section III-A, coalescing unit; constants from the published RTL. */
#ifndef SL_MEM_COALESCER_H
#define SL_MEM_COALESCER_H

#include "base/types.h"
#include "isa/lanes.h"
#include "mem/request.h"
#include "timing/memory/dram.h"

/* The compressed stack cache of SIMTight: a direct-mapped table of compressed vectors in the coalescing unit.
 *
 * It holds stores of compressed (uniform or affine) whole-word vectors to the stacks, where compilers spill registers.
 * Each entry covers a block of lanes x 4 bytes. Stage 3 of the coalescing unit looks it up; stage 4 acts. A compressed
 * store enters without DRAM traffic, unless it replaces another block's vector. The same pass writes the replaced
 * vector out. An uncompressed store that hits takes an extra pass, which writes the vector out and invalidates the
 * entry; the pipeline stalls. A load that hits is answered in order, without traffic. A load that misses is not cached.
 * Fences and kernel ends flush nothing.
 *
 * The memory image always holds the values; this models the timing only. Source: SIMTight paper, section III-B,
 * compressed stack cache; "SV store buffer" in the published RTL. */

enum { SL_STACK_CACHE_MAX = 8192 };

struct sl_stack_cache {
  unsigned entries;                   /* power of two; 0: no stack cache */
  unsigned block_bits;                /* log2 of the bytes of a block */
  uint32_t stack_base;                /* first address of the stacks, which extend to the end of the address space */
  uint64_t hits, misses;              /* of stack loads, per pass */
  uint32_t block[SL_STACK_CACHE_MAX]; /* number of the held block; 0: none (block 0 is not in a stack) */
};

/* The effect of a pass on DRAM. */
enum sl_stack_cache_action {
  SL_STACK_CACHE_PASS,       /* goes to DRAM as without a cache */
  SL_STACK_CACHE_HELD,       /* a store: held, no DRAM traffic */
  SL_STACK_CACHE_REPLACED,   /* a store: held; the replaced vector is written out */
  SL_STACK_CACHE_WRITE_BACK, /* a store that is not held: an extra pass writes the block out first */
  SL_STACK_CACHE_ANSWERED    /* a load: answered by the cache */
};

void sl_stack_cache_init(struct sl_stack_cache *c, unsigned entries, unsigned block_bits, uint32_t stack_base);

/* Looks up a load's pass. `address` is the leader's. */
enum sl_stack_cache_action sl_stack_cache_load(struct sl_stack_cache *c, uint32_t address);

/* Looks up a store's pass. compressed: the pass writes a compressed vector of all lanes, whole words, one block. */
enum sl_stack_cache_action sl_stack_cache_store(struct sl_stack_cache *c, uint32_t address, bool compressed);

const struct sl_schema *sl_stack_cache_schema(void);

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

/* Chooses the lanes that one pass serves by the paper's strategies. */
struct sl_selection sl_coalescer_select(const struct sl_coalescer_spec *spec, const struct sl_lane_ops *ops,
                                        const struct sl_request *request);

/* The same, into the request itself. Copying the fields of a selection that has just been written would wait for the
 * host's store buffer. */
void sl_coalescer_choose_any(const struct sl_coalescer_spec *spec, const struct sl_lane_ops *ops,
                             const struct sl_request *request, struct sl_selection *pass);

static inline void sl_coalescer_set(struct sl_selection *pass, sl_lanes lanes, unsigned beats, bool scratchpad,
                                    bool whole_block)
{
  pass->lanes = lanes;
  pass->beats = beats;
  pass->scratchpad = scratchpad;
  pass->whole_block = whole_block;
}

/* The same, with the frequent cases inline: all lanes access the scratchpad, or load one address outside it. */
static inline void sl_coalescer_choose(const struct sl_coalescer_spec *spec, const struct sl_lane_ops *ops,
                                       const struct sl_request *request, struct sl_selection *pass)
{
  const sl_lanes pending = request->pending, scratchpad = request->scratchpad & pending;
  if (scratchpad == pending)
    sl_coalescer_set(pass, pending, 0, true, false);
  else if (scratchpad == 0 && request->pattern == SL_PATTERN_SAME && request->access != SL_ACCESS_ATOMIC)
    sl_coalescer_set(pass, pending, 1, false, false);
  else
    sl_coalescer_choose_any(spec, ops, request, pass);
}

/* Beats of a block of one word per lane. */
unsigned sl_coalescer_block_beats(const struct sl_coalescer_spec *spec);

const struct sl_schema *sl_coalescer_spec_schema(void);

#endif
