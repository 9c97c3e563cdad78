/* The coalescing unit of SIMTight: combines a warp's requests into few wide DRAM transactions, and forwards scratchpad
 * requests. Below are its strategies, then its simulation by events; tests/oracles/stepped_coalescer.h
 * simulates it cycle by cycle.
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

#include "base/queues.h"
#include "base/types.h"
#include "isa/lanes.h"
#include "mem/request.h"
#include "timing/memory/dram.h"
#include "timing/memory/scratchpad.h"

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

/* ---- the path of requests, by events ----------------------------------------------------------------------------- */

/* Event-driven model of SIMTight's memory path from a warp's request to its answer: the coalescing unit's FIFO and
 * stages 0 to 4, DRAM and scratchpad behind them, and the merge of their answers.
 *
 * When stage 4 issues a pass, the model computes all cycles that are known then (struct sl_dram_events, scratchpad.h).
 * Only two parts are simulated cycle by cycle: the earlier stages while they contain a request, and the merge while
 * there is an answer. Timing and source as above; the merge is fair. The model selects the lanes of a pass as
 * soon as they are known, not in stage 3: nothing changes them on the way.
 *
 * Requests carry the cycle of their put, and stage 0 takes them in later cycles. So the path may run some cycles behind
 * the unit that puts them. */

/* Event-driven model of DRAM and of the coalescing unit's stages 5 and 6, which surround it. When stage 4 issues a
 * pass, the model computes the cycles that are known then, and the others when answers are taken.
 *
 * Tests and test builds compare it cycle by cycle with the cycle-stepped reference models in
 * tests/oracles/.
 *
 * Transactions j are reads and the beats of stores. An atomic is a read, then the beats of a store. Answers n are those
 * of reads, with b beats, and those of the stack cache, without beats. Unknown times are SL_NEVER. put       P(j) = the
 * latest of: the cycle after stage 4; B(j-1); P(j-1) + 1; and, with a full in-flight queue, L + 1 of the answer that
 * has to leave it on bus    B(j) = max(P(j) + 1, W(j-2) + 1) served    W(j) = max(B(j) + 1, W(j-1) + 1, or W(j-1) + b
 * after a read); later while too many beats are outstanding at head   L(n) = max(P(n) + 1, H(n-1)) beats     T(n) =
 * max(W(n) + latency + 3, L(n) + 1) for the first, then one per cycle; without beats L(n) + 1 answer    H(n) = max(T(n)
 * + b, the cycle after answer n-1 was taken) An answer is in the output register from the end of H(n) on. */

enum {
  SL_DRAM_READ_DELAY = 3, /* cycles from W to the first beat, beyond the latency */
  SL_DRAM_MOST_BEATS = 64,
  SL_DRAM_ON_THE_WAY = 3,     /* transactions put and not served: one in the request register, two on the bus */
  SL_DRAM_STORE = 1u << 15,   /* in transaction_beats */
  SL_DRAM_TRANSACTIONS = 128, /* a store's beats, and transactions not yet served; a power of two */
  SL_DRAM_ANSWERS = 128       /* in flight, at the head and in the output register; a power of two */
};

struct sl_dram_transaction_times {
  int64_t put, bus, served;
};

struct sl_dram_answer {
  struct sl_response response;
  int64_t put, served, head, first; /* P, W, L, T */
  uint64_t beats;
};

/* A pass that stage 4 has issued. */
struct sl_dram_pass {
  struct sl_response response;
  uint16_t beats; /* of the read or the store; 0: only an answer, in order */
  bool store;
  bool updates; /* an atomic: a read, then a store of as many beats */
};

struct sl_dram_events {
  int64_t answer; /* H of the oldest answer */
  int64_t stage5; /* stage 5 is full at the start of cycles up to this one */
  int64_t taken;  /* cycle in which the latest answer was taken */

  unsigned latency, limit, in_flight_depth;

  struct sl_dram_pass
      pass; /* the pass in stage 5; it has `unput` transactions or answers left to put from cycle `earliest` on */
  unsigned unput;
  int64_t earliest;

  unsigned count, unserved; /* transactions put, and the first one with unknown W; modulo the ring */
  int64_t put, line; /* P of the latest transaction, or of an answer without beats; first cycle with a free memory
                        request line */
  struct sl_dram_transaction_times transaction[SL_DRAM_TRANSACTIONS];
  uint16_t transaction_beats[SL_DRAM_TRANSACTIONS]; /* beats of the whole read or store, with SL_DRAM_STORE */
  uint8_t transaction_answer[SL_DRAM_TRANSACTIONS]; /* a read's answer */

  unsigned head, answers; /* index of the oldest answer, and number of answers; modulo the ring */
  unsigned open;          /* beats of served reads whose answers have not been taken */
  struct sl_dram_answer ring[SL_DRAM_ANSWERS];

  uint64_t beats; /* read and written beats, future ones of known time included */
};

const struct sl_schema *sl_dram_events_schema(void);

void sl_dram_events_init(struct sl_dram_events *d, unsigned latency, unsigned limit, unsigned in_flight_depth);

/* Stage 4 issues a pass in cycle now. */
void sl_dram_events_put(struct sl_dram_events *d, const struct sl_dram_pass *pass, int64_t now);

/* Whether stage 4 can issue a pass in cycle now. */
static inline bool sl_dram_events_can_put(const struct sl_dram_events *d, int64_t now)
{
  return d->stage5 < now;
}

/* Takes the oldest answer in cycle now. Call it before a put of the same cycle. */
struct sl_response sl_dram_events_take(struct sl_dram_events *d, int64_t now);

/* Whether events remain after the cycles before now. */
bool sl_dram_events_busy(const struct sl_dram_events *d, int64_t now);

/* Beats read and written in the cycles before now. */
uint64_t sl_dram_events_beats(const struct sl_dram_events *d, int64_t now);

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
static inline void sl_request_path_put(struct sl_request_path *p, const struct sl_lane_ops *ops, int64_t now)
{
  const uint8_t index = p->free[--p->free_count];
  const unsigned place = (p->fifo_head + p->fifo_count++) % SL_REQUEST_FIFO_MAX;
  struct sl_request *r = &p->pool[index];
  p->fifo[place] = index;
  p->put[place] = now;
  sl_coalescer_choose(&p->spec, ops, r, &r->pass);
}

/* Number of lanes in a set, which is nearly always the full set. */
static inline unsigned sl_request_path_lanes_in(const struct sl_request_path *p, sl_lanes lanes)
{
  return __builtin_expect(lanes == sl_low_bits(p->spec.lanes), 1) ? p->spec.lanes : sl_count(lanes);
}

/* Stage 4 issues the pass of a request to the scratchpad, which can take it. */
static inline void sl_request_path_start_scratchpad(struct sl_request_path *p, const struct sl_request *r, int64_t now)
{
  const unsigned words = sl_scratchpad_one_word(r) ? 1 : sl_request_path_lanes_in(p, r->pass.lanes);
  const struct sl_scratchpad_request request = {sl_response(r->pass.lanes, r->warp, r->rd), r->scratchpad_passes,
                                                (uint16_t)words, r->responds};
  sl_scratchpad_events_put(&p->scratchpad, &request, now);
}

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

/* Simty's leader-based memory arbitration: which lanes of a warp one pass serves.
 *
 * The leader is the lowest active lane. The leader's block has one word per lane. A lane follows the leader if it
 * accesses the word of that block that has the lane's own number. A lane of a load also follows if it accesses the
 * leader's word. Accesses of less than a word, and atomics, serve the leader alone. Lanes that are not served keep
 * their PC and repeat the access. Several stores to one word are served one by one.
 *
 * Timing: combinational, in the cycle after execute. Source: Simty paper (RR-8944), section 3.2, "memory arbitration
 * and coalescing"; published RTL. */

/* Returns the lanes of `active` (not empty) that one pass serves. Addresses are those in memory. */
static inline sl_lanes sl_leader_serves(const struct sl_lane_ops *ops, const struct sl_insn *in,
                                        const uint32_t *address, const struct sl_addresses *summary, sl_lanes active,
                                        unsigned lanes)
{
  const bool load = in->kind == SL_KIND_LOAD;
  const sl_lanes leader = active & -active;
  if (in->width != 4 || (!load && in->kind != SL_KIND_STORE) || active == leader)
    return leader;
  if (load && summary->low == summary->high)
    return active;
  const uint32_t block = summary->first & ~(4 * lanes - 1);
  const sl_lanes own = ops->strided(address, block, 4, lanes) & active;
  const sl_lanes same = ops->equal(address, summary->first, lanes) & active;
  return leader | (load ? own | same : own & ~same);
}

#endif
