#include "timing/pipeline/scalar_pipeline.h"

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
