#include "func/path_csr.h"

#include "func/rv_csr.h"

/* The value that an instruction writes to a CSR that reads 0. */
static uint32_t written(const struct sl_path_warps *t, const uint32_t *x, const struct sl_insn *in, unsigned lane)
{
  return sl_csr_written(in, 0, sl_csr_operand(in, x[((size_t)in->rs1 << t->lane_bits) + lane]));
}

static enum sl_effect fault(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                            enum sl_fault_kind kind)
{
  t->fault = (struct sl_fault){
      .kind = kind, .warp = (int)warp, .lanes = ex->active, .pc = ex->pc, .address = ex->insn->csr, .insn = *ex->insn};
  return SL_EFFECT_FAULT;
}

static enum sl_effect command(struct sl_path_warps *t, unsigned warp, struct sl_execution *ex, const uint32_t *x)
{
  if (!sl_csr_writes(ex->insn))
    return SL_EFFECT_NONE;
  if (ex->active != t->all)
    return fault(t, warp, ex, SL_FAULT_DIVERGED_COMMAND);
  ex->command = written(t, x, ex->insn, 0);
  return SL_EFFECT_COMMAND;
}

bool sl_csr_commands(const struct sl_path_warps *t, unsigned warp, const struct sl_insn *in, uint32_t *value)
{
  if (in->kind != SL_KIND_CSR || in->csr != SL_CSR_COMMAND || !sl_csr_writes(in))
    return false;
  *value = written(t, sl_path_warps_registers(t, warp), in, 0);
  return true;
}

static void print_words(struct sl_path_warps *t, const struct sl_execution *ex, const uint32_t *x)
{
  if (t->print_word == NULL || !sl_csr_writes(ex->insn))
    return;
  for (sl_lanes rest = ex->active; rest; rest &= rest - 1)
    t->print_word(t->print_context, written(t, x, ex->insn, sl_lowest(rest)));
}

enum sl_effect sl_csr_access(struct sl_path_warps *t, unsigned warp, struct sl_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  uint32_t *x = sl_path_warps_registers(t, warp);
  uint32_t *d = x + ((size_t)in->rd << t->lane_bits);
  uint32_t value = 0, step = 0;
  switch (in->csr) {
  case SL_CSR_COMMAND: return command(t, warp, ex, x);
  case SL_CSR_PRINT_WORD: print_words(t, ex, x); break;
  case SL_CSR_END:
    if (t->end_program != NULL && sl_csr_writes(in))
      t->end_program(t->print_context, written(t, x, in, sl_lowest(ex->active)));
    break;
  case SL_CSR_HART_ID:
    value = warp << t->lane_bits;
    step = 1;
    break;
  case SL_CSR_CLOSURE: value = t->s.closure; break;
  default: return fault(t, warp, ex, SL_FAULT_CSR);
  }
  if (in->rd == 0)
    return SL_EFFECT_NONE;
  for (unsigned lane = 0; lane < t->spec.lanes; lane++)
    if (ex->active >> lane & 1)
      d[lane] = value + lane * step;
  return SL_EFFECT_RESULT;
}
