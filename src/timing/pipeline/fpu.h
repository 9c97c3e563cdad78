/* Timing of SIMTight's floating-point unit: a request queue, a token register that reserves the single output, and a
 * response FIFO.
 *
 * A request accepted in e is visible in q = e+1. An operation of latency L enters the token register at slot L-1 in
 * cycle q if slot L is empty in q and fewer than `limit` operations are between entry and consumption. Otherwise the
 * head of the queue waits. Slots shift down every cycle. Slot 0 writes the response FIFO, whose output register can be
 * taken from q+L+2 on. Source: published RTL of SIMTight; paper, section III-A, stage 5. */
#ifndef SL_UNIT_FPU_H
#define SL_UNIT_FPU_H

#include "base/queues.h"
#include "isa/isa.h"

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

#endif
