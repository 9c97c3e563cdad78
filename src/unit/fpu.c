#include "unit/fpu.h"

#include <string.h>

void sl_fpu_init(struct sl_fpu *f, const uint8_t latency[SL_FPU_CLASS_COUNT], unsigned limit)
{
  memset(f, 0, sizeof *f);
  memcpy(f->latency, latency, sizeof f->latency);
  f->limit = limit;
}

enum sl_fpu_class sl_fpu_class(const struct sl_insn *in)
{
  switch (in->op) {
  case SL_OP_FMUL: return SL_FPU_MUL;
  case SL_OP_FDIV: return SL_FPU_DIV;
  case SL_OP_FSQRT: return SL_FPU_SQRT;
  case SL_OP_FMIN:
  case SL_OP_FMAX: return SL_FPU_MINMAX;
  case SL_OP_FCVT_W_S:
  case SL_OP_FCVT_WU_S: return SL_FPU_TO_INT;
  case SL_OP_FCVT_S_W:
  case SL_OP_FCVT_S_WU: return SL_FPU_FROM_INT;
  case SL_OP_FEQ: return SL_FPU_EQUAL;
  case SL_OP_FLT:
  case SL_OP_FLE: return SL_FPU_LESS;
  default: return SL_FPU_ADD;
  }
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
  /* Slot L now is the token that leaves in now + L; entering slot L-1 next cycle leaves then too. */
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
