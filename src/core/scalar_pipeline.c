#include "core/scalar_pipeline.h"

enum {
  OF_ALU = 1,
  OF_MUL = 1,
  OF_DIV = 1,
  OF_BRANCH = 1,
  OF_JAL = 1,
  OF_JALR = 1,
  OF_PUSH = 1,
  OF_POP = 1,
  OF_FPU = 0,
  OF_FPX = 0,
  OF_LOAD = 0,
  OF_STORE = 0,
  OF_AMO = 0,
  OF_LRSC = 0,
  OF_FENCE = 0,
  OF_CSR = 0,
  OF_SYSTEM = 0,
  OF_FLUSH = 0
};

const bool sl_scalarisable[SL_OP_COUNT] = {
#define ROW(kind, id, name, match, mask, format, set, e) [SL_OP_##id] = OF_##kind && !(SL_ISA_##set & SL_ISA_FLOAT),
#include "isa/rv32.def"
#undef ROW
};

/* Whether adding `addend` to an affine vector keeps its base aligned. */
static bool fits(uint32_t addend, unsigned stride, unsigned lanes)
{
  return stride == 0 || (addend & (lanes * stride - 1)) == 0;
}

bool sl_scalar_misfit(const struct sl_warp_registers *r, const struct sl_insn *in, unsigned lanes)
{
  if ((in->op != SL_OP_ADD && in->op != SL_OP_ADDI) || in->rd == 0)
    return false;
  const bool immediate = in->op == SL_OP_ADDI;
  const uint32_t a = r->base[in->rs1], b = immediate ? in->imm : r->base[in->rs2];
  return !fits(b, r->stride[in->rs1], lanes) || !fits(a, immediate ? 0 : r->stride[in->rs2], lanes);
}
