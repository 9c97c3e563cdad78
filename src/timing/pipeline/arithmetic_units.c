#include "timing/pipeline/arithmetic_units.h"

#include <string.h>

void sl_fpu_init(struct sl_fpu *f, const uint8_t latency[SL_FPU_CLASS_COUNT], unsigned limit)
{
  memset(f, 0, sizeof *f);
  memcpy(f->latency, latency, sizeof f->latency);
  f->limit = limit;
}

static const uint8_t of_class[SL_CLASS_COUNT] = {
    [SL_CLASS_FADD] = SL_FPU_ADD,          [SL_CLASS_FMUL] = SL_FPU_MUL,       [SL_CLASS_FDIV] = SL_FPU_DIV,
    [SL_CLASS_FSQRT] = SL_FPU_SQRT,        [SL_CLASS_FMINMAX] = SL_FPU_MINMAX, [SL_CLASS_FTOINT] = SL_FPU_TO_INT,
    [SL_CLASS_FFROMINT] = SL_FPU_FROM_INT, [SL_CLASS_FEQUAL] = SL_FPU_EQUAL,   [SL_CLASS_FLESS] = SL_FPU_LESS,
};

enum sl_fpu_class sl_fpu_class(const struct sl_insn *in)
{
  return (enum sl_fpu_class)of_class[sl_op_info(in->op)->class];
}

void sl_fpu_cycle(struct sl_fpu *f, int64_t now)
{
  const unsigned released = f->consumed;
  f->consumed = false;
  if (!f->response.full && f->fifo_count > 0) {
    sl_pipeline_put(&f->response, f->fifo[f->fifo_head]);
    f->fifo_head = (f->fifo_head + 1) % SL_FPU_FIFO;
    f->fifo_count--;
  }
  const unsigned leaving = (unsigned)now % SL_FPU_TOKENS;
  if (f->tokens & sl_bit(leaving)) {
    f->fifo[(f->fifo_head + f->fifo_count++) % SL_FPU_FIFO] = f->token[leaving];
    f->tokens &= ~sl_bit(leaving);
  }
  /* Slot L now holds the token that leaves in now + L. An entry into slot L-1 in the next cycle would leave then, too.
   */
  const unsigned slot = (unsigned)(now + f->request_latency) % SL_FPU_TOKENS;
  if (f->request.full && f->in_use != f->limit && !(f->tokens & sl_bit(slot))) {
    f->token[slot] = f->request.item;
    f->tokens |= sl_bit(slot);
    f->request.full = false;
    f->in_use++;
  }
  f->in_use -= released;
}

void sl_fpu_put(struct sl_fpu *f, const struct sl_insn *in, struct sl_response response)
{
  sl_pipeline_put(&f->request, response);
  f->request_latency = f->latency[sl_fpu_class(in)];
}
