/* SIMTight's arithmetic units and the resume queue behind them, each with its contract and source below.
 *
 * The floating-point unit: a request queue, a token register that reserves the single output, and a
 * response FIFO.
 *
 * A request accepted in e is visible in q = e+1. An operation of latency L enters the token register at slot L-1 in
 * cycle q if slot L is empty in q and fewer than `limit` operations are between entry and consumption. Otherwise the
 * head of the queue waits. Slots shift down every cycle. Slot 0 writes the response FIFO, whose output register can be
 * taken from q+L+2 on. Source: published RTL of SIMTight; paper, section III-A, stage 5. */
#ifndef SL_UNIT_ARITHMETIC_UNITS_H
#define SL_UNIT_ARITHMETIC_UNITS_H

#include "base/queues.h"
#include "base/schema.h"
#include "isa/isa.h"

/* SIMTight's multiplier, which also executes shifts: three stages and a two-entry result queue, one warp instruction
 * per cycle. The scalar pipeline steps this model. Vector pipelines use timing/pipeline/arithmetic_units.h, which test
 * builds compare with it.
 *
 * The result of an instruction accepted in e leaves stage 3 in e+3 and is in the result queue from e+4 on. The pipeline
 * stalls while stage 3 holds a result and the queue is full. It accepts nothing then. Source: published RTL of
 * SIMTight; paper, section III-A, stage 5. */

/* SIMTight's divider, sequential or pipelined.
 *
 * Timing. Sequential: one instruction at a time. The result of an instruction accepted in e can be taken from e+35 on.
 * The next instruction is accepted from the cycle after that on. Pipelined (full throughput): one instruction per
 * cycle. The result enters the output FIFO after `latency` cycles and can be taken two cycles later. At most `depth`
 * instructions are between acceptance and taking.
 *
 * Source: published RTL of SIMTight. There, the latency of the pipelined divider is that of a vendor's divider; here it
 * is a key. */
enum { SL_DIVIDER_SEQUENTIAL_CYCLES = 35, SL_DIVIDER_MAX_DEPTH = 64 };

enum sl_divider_kind { SL_DIVIDER_SEQUENTIAL, SL_DIVIDER_PIPELINED };

struct sl_divider {
  enum sl_divider_kind kind;
  unsigned latency; /* cycles from acceptance until the result can be taken */
  unsigned depth;   /* maximum number of instructions between acceptance and taking */
  unsigned head, count;
  int64_t taken; /* cycle of the latest take */
  int64_t ready[SL_DIVIDER_MAX_DEPTH];
  struct sl_response response[SL_DIVIDER_MAX_DEPTH];
};

static inline void sl_divider_init(struct sl_divider *d, enum sl_divider_kind kind, unsigned latency, unsigned depth)
{
  *d = (struct sl_divider){.kind = kind, .taken = SL_NEVER_DRAINED};
  d->latency = kind == SL_DIVIDER_SEQUENTIAL ? SL_DIVIDER_SEQUENTIAL_CYCLES : latency + 2;
  d->depth = kind == SL_DIVIDER_SEQUENTIAL ? 1 : depth;
}

static inline bool sl_divider_can_put(const struct sl_divider *d, int64_t now)
{
  return d->count + (d->taken == now) < d->depth;
}

static inline void sl_divider_put(struct sl_divider *d, struct sl_response response, int64_t now)
{
  unsigned slot = (d->head + d->count++) % SL_DIVIDER_MAX_DEPTH;
  d->ready[slot] = now + d->latency;
  d->response[slot] = response;
}

static inline bool sl_divider_can_take(const struct sl_divider *d, int64_t now)
{
  return d->count > 0 && now >= d->ready[d->head];
}

static inline struct sl_response sl_divider_take(struct sl_divider *d, int64_t now)
{
  struct sl_response response = d->response[d->head];
  d->head = (d->head + 1) % SL_DIVIDER_MAX_DEPTH;
  d->count--;
  d->taken = now;
  return response;
}

/* The next cycle with work; INT64_MAX if empty. */
static inline int64_t sl_divider_next_event(const struct sl_divider *d)
{
  return d->count > 0 ? d->ready[d->head] : INT64_MAX;
}

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

/* Event-driven model of the multiplier of arithmetic_units.h. An instruction that enters in e leaves the stages in e +
 * 3 if the result queue has room; it can be taken in later cycles. The model needs no work per cycle.
 *
 * The queue has two entries, and its fullness is a register. It has room for an instruction in the cycle after the take
 * of the instruction two before it. Until then the stages stall, and all their instructions leave later by the length
 * of the stall.
 *
 * Tests and test builds compare this model cycle by cycle with the cycle-stepped reference model of arithmetic_units.h.
 */
enum { SL_MULTIPLIER_RESULTS = 2, SL_MULTIPLIER_PLACES = 8 };
SL_HOLDS(SL_MULTIPLIER_PLACES, SL_MULTIPLIER_STAGES + SL_MULTIPLIER_RESULTS, "a place per stage and result");

struct sl_multiplier_events {
  int64_t
      product; /* cycle in which the oldest instruction leaves the stages; its result can be taken in later cycles */
  unsigned head, count;
  int64_t due[SL_MULTIPLIER_PLACES]; /* cycle of arrival at the end of the stages */
  int64_t out[SL_MULTIPLIER_PLACES]; /* cycle of leaving them; SL_NEVER: unknown */
  struct sl_response response[SL_MULTIPLIER_PLACES];
};

static inline void sl_multiplier_events_init(struct sl_multiplier_events *m)
{
  *m = (struct sl_multiplier_events){.product = SL_NEVER};
}

static inline bool sl_multiplier_events_busy(const struct sl_multiplier_events *m)
{
  return m->count > 0;
}

/* The ring index of the n-th oldest instruction. */
static inline unsigned sl_multiplier_events_place(const struct sl_multiplier_events *m, unsigned n)
{
  return (m->head + n) % SL_MULTIPLIER_PLACES;
}

/* Whether an instruction can enter in cycle now, after this cycle's take: the stages do not stall. */
static inline bool sl_multiplier_events_can_put(const struct sl_multiplier_events *m, int64_t now)
{
  for (unsigned n = 0; n < m->count; n++) {
    const unsigned place = sl_multiplier_events_place(m, n);
    if (m->out[place] > now)
      return m->due[place] > now;
  }
  return true;
}

static inline void sl_multiplier_events_put(struct sl_multiplier_events *m, struct sl_response response, int64_t now)
{
  const unsigned place = sl_multiplier_events_place(m, m->count);
  m->due[place] = now + SL_MULTIPLIER_STAGES;
  m->out[place] = m->count < SL_MULTIPLIER_RESULTS ? m->due[place] : SL_NEVER;
  m->response[place] = response;
  m->product = m->count == 0 ? m->out[place] : m->product;
  m->count++;
}

/* The response of the oldest instruction; arbitrary if there is none. */
static inline struct sl_response sl_multiplier_events_oldest(const struct sl_multiplier_events *m)
{
  return m->response[m->head];
}

/* Takes the oldest result in cycle now. */
static inline void sl_multiplier_events_take(struct sl_multiplier_events *m, int64_t now)
{
  m->head = sl_multiplier_events_place(m, 1);
  m->count--;
  m->product = m->count > 0 ? m->out[m->head] : SL_NEVER;
  if (m->count < SL_MULTIPLIER_RESULTS)
    return;
  const unsigned second = sl_multiplier_events_place(m, 1);
  m->out[second] = sl_later(m->due[second], now + 1);
  for (unsigned n = 2; n < m->count; n++)
    m->due[sl_multiplier_events_place(m, n)] += m->out[second] - m->due[second];
}

enum { SL_FPU_MAX_LATENCY = 60, SL_FPU_TOKENS = 64, SL_FPU_FIFO = 64 };
SL_HOLDS(SL_FPU_TOKENS, SL_FPU_MAX_LATENCY + 1, "a slot per cycle of latency");
SL_HOLDS(64, SL_FPU_TOKENS, "a bit per slot");

/* Latency classes; each has a configuration key. */
enum sl_fpu_class {
  SL_FPU_ADD,
  SL_FPU_MUL,
  SL_FPU_DIV,
  SL_FPU_SQRT,
  SL_FPU_MINMAX,
  SL_FPU_TO_INT,
  SL_FPU_FROM_INT,
  SL_FPU_EQUAL,
  SL_FPU_LESS,
  SL_FPU_CLASS_COUNT
};

struct sl_fpu {
  uint8_t latency[SL_FPU_CLASS_COUNT];
  unsigned limit;

  struct sl_pipeline_queue request;
  uint8_t request_latency;
  unsigned in_use; /* operations between entry and consumption */
  uint64_t tokens; /* bit c % 64: an operation leaves slot 0 in cycle c */
  struct sl_response token[SL_FPU_TOKENS];
  unsigned fifo_head, fifo_count;
  struct sl_response fifo[SL_FPU_FIFO];
  struct sl_pipeline_queue response; /* the FIFO's output register */
  bool consumed;                     /* response was taken in this cycle */
};

void sl_fpu_init(struct sl_fpu *f, const uint8_t latency[SL_FPU_CLASS_COUNT], unsigned limit);

/* The latency class of an FPU instruction. */
enum sl_fpu_class sl_fpu_class(const struct sl_insn *in);

static inline bool sl_fpu_busy(const struct sl_fpu *f)
{
  return f->request.full || f->in_use > 0;
}

/* Performs one cycle, after the consumer of responses and before requests. */
void sl_fpu_cycle(struct sl_fpu *f, int64_t now);

static inline bool sl_fpu_can_put(const struct sl_fpu *f)
{
  return !f->request.full;
}

void sl_fpu_put(struct sl_fpu *f, const struct sl_insn *in, struct sl_response response);

static inline struct sl_response sl_fpu_take(struct sl_fpu *f)
{
  f->response.full = false;
  f->consumed = true;
  return f->response.item;
}

/* Tables of the fields of functional units, schedulers and register files (base/schema.h). */

const struct sl_schema *sl_scheduler_schema(void), *sl_suspension_schema(void), *sl_barrier_schema(void),
    *sl_multiplier_schema(void), *sl_multiplier_events_schema(void), *sl_resume_schema(void), *sl_divider_schema(void),
    *sl_fpu_schema(void), *sl_fetched_schema(void), *sl_instruction_fetch_schema(void), *sl_load_fifo_schema(void),
    *sl_register_file_schema(void), *sl_spill_schema(void), *sl_scalar_pipeline_schema(void);

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
