#include "func/blocks/steps.h"

#include "isa/host_level.h"

/* One table per build of step_lanes.c: level and lane count, n: any. */
#define DECLARE_LEVEL(level)                                                                                           \
  extern const struct sl_step_ops sl_step_ops_##level##_16, sl_step_ops_##level##_32, sl_step_ops_##level##_n;

#define FOR_LANES(level, lanes)                                                                                        \
  ((lanes) == 32 ? &sl_step_ops_##level##_32 : (lanes) == 16 ? &sl_step_ops_##level##_16 : &sl_step_ops_##level##_n)

DECLARE_LEVEL(baseline)
#ifdef SL_LEVEL_AVX2
DECLARE_LEVEL(avx2)
#endif
#ifdef SL_LEVEL_AVX512
DECLARE_LEVEL(avx512)
#endif

const struct sl_step_ops *sl_step_ops(unsigned lanes, bool portable)
{
  switch (portable ? SL_HOST_BASELINE : sl_host_level()) {
#ifdef SL_LEVEL_AVX512
  case SL_HOST_AVX512: return FOR_LANES(avx512, lanes);
#endif
#ifdef SL_LEVEL_AVX2
  case SL_HOST_AVX2: return FOR_LANES(avx2, lanes);
#endif
  default: return FOR_LANES(baseline, lanes);
  }
}

static bool nothing(const struct sl_step_lanes *s, const struct sl_step *step)
{
  (void)s, (void)step;
  return true;
}

static bool computes(const struct sl_insn *in)
{
  return in->kind == SL_KIND_ALU || in->kind == SL_KIND_MUL || in->kind == SL_KIND_DIV || in->kind == SL_KIND_FPU;
}

/* Does nothing if the rounding mode is reserved. */
static bool compute_float(const struct sl_step_lanes *s, const struct sl_step *step)
{
  uint32_t raised = 0;
  if (!sl_fp_execute_warp(s->fp, s->x, &s->insn[step->imm], s->active, s->lanes, *s->fcsr >> SL_FCSR_FLAG_BITS,
                          &raised))
    return false;
  *s->fcsr |= raised;
  return true;
}

struct sl_step sl_step_float(uint32_t number)
{
  return (struct sl_step){.all = compute_float, .some = compute_float, .imm = number};
}

bool sl_step_make(const struct sl_step_ops *ops, const struct sl_insn *in, uint32_t pc, unsigned lane_bits,
                  struct sl_step *step)
{
  const bool shared =
      in->op == SL_OP_LW_SHARED || in->op == SL_OP_SW_SHARED; /* steps do not know where shared memory is */
  const bool none = shared || ops->all[in->op] == NULL, unwanted = in->rd == 0;
  if (none || (unwanted && in->kind == SL_KIND_LOAD) || (!unwanted && in->kind == SL_KIND_AMO))
    return false; /* without rd the access may still fault; an atomic with rd depends on the order of lanes */
  *step = (struct sl_step){.all = ops->all[in->op],
                           .some = ops->some[in->op],
                           .d = (uint32_t)in->rd << lane_bits,
                           .a = (uint32_t)in->rs1 << lane_bits,
                           .b = (uint32_t)in->rs2 << lane_bits,
                           .imm = in->op == SL_OP_AUIPC ? pc + in->imm : in->imm};
  if (unwanted && computes(in))
    step->all = step->some = nothing;
  return true;
}
