#include "isa/fp_lanes.h"

bool sl_fp_has(unsigned op)
{
  const struct sl_op_info *info = sl_op_info(op);
  return ((unsigned)info->set & SL_ISA_F) && info->kind != SL_KIND_LOAD && info->kind != SL_KIND_STORE;
}

static bool has_rounding_mode(const struct sl_insn *in)
{
  const enum sl_format format = sl_op_info(in->op)->format;
  return format == SL_FORMAT_RM || format == SL_FORMAT_R1M || format == SL_FORMAT_R4M;
}

/* The value of rd for one lane. */
static uint32_t value(unsigned op, uint32_t a, uint32_t b, uint32_t c, enum sl_fp_rounding mode, uint32_t *flags)
{
  switch (op) {
  case SL_OP_FADD: return sl_fp_add(a, b, mode, flags);
  case SL_OP_FSUB: return sl_fp_sub(a, b, mode, flags);
  case SL_OP_FMUL: return sl_fp_mul(a, b, mode, flags);
  case SL_OP_FDIV: return sl_fp_div(a, b, mode, flags);
  case SL_OP_FSQRT: return sl_fp_sqrt(a, mode, flags);
  case SL_OP_FMADD: return sl_fp_madd(a, b, c, mode, flags);
  case SL_OP_FMSUB: return sl_fp_msub(a, b, c, mode, flags);
  case SL_OP_FNMSUB: return sl_fp_nmsub(a, b, c, mode, flags);
  case SL_OP_FNMADD: return sl_fp_nmadd(a, b, c, mode, flags);
  case SL_OP_FMIN: return sl_fp_min(a, b, flags);
  case SL_OP_FMAX: return sl_fp_max(a, b, flags);
  case SL_OP_FSGNJ: return sl_fp_sgnj(a, b);
  case SL_OP_FSGNJN: return sl_fp_sgnjn(a, b);
  case SL_OP_FSGNJX: return sl_fp_sgnjx(a, b);
  case SL_OP_FEQ: return sl_fp_eq(a, b, flags);
  case SL_OP_FLT: return sl_fp_lt(a, b, flags);
  case SL_OP_FLE: return sl_fp_le(a, b, flags);
  case SL_OP_FCLASS: return sl_fp_classify(a);
  case SL_OP_FCVT_W_S: return sl_fp_to_i32(a, mode, flags);
  case SL_OP_FCVT_WU_S: return sl_fp_to_u32(a, mode, flags);
  case SL_OP_FCVT_S_W: return sl_fp_from_i32(a, mode, flags);
  case SL_OP_FCVT_S_WU: return sl_fp_from_u32(a, mode, flags);
  default: return a; /* fmv.x.w and fmv.w.x */
  }
}

bool sl_fp_execute(uint32_t *x, const struct sl_insn *in, sl_lanes active, unsigned lanes, unsigned frm,
                   uint32_t *flags)
{
  const unsigned field = in->word >> 12 & 7, mode = field == SL_FP_DYNAMIC ? frm : field;
  if (has_rounding_mode(in) && mode >= SL_FP_ROUNDING_COUNT)
    return false;
  const uint32_t *a = x + in->rs1 * lanes, *b = x + in->rs2 * lanes;
  const uint32_t *c = sl_reads_rs3(in) ? x + in->imm * lanes : a;
  uint32_t *d = x + in->rd * lanes;
  for (sl_lanes rest = active; rest; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    const uint32_t result = value(in->op, a[l], b[l], c[l], (enum sl_fp_rounding)mode, &flags[l]);
    if (in->rd != 0)
      d[l] = result;
  }
  return true;
}
