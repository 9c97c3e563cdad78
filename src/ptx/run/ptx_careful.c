#include "ptx/run/ptx_careful.h"

#include <fenv.h>
#include <math.h>

typedef float single __attribute__((may_alias));
typedef double twice __attribute__((may_alias));

struct copies {
  _Alignas(64) uint8_t bytes[3][SL_PTX_LANES * 8];
};

/* Flushes subnormals to zeros of the same sign; only 32-bit values. */
static void flush(single *v, uint32_t lanes)
{
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    if (lanes >> l & 1 && fpclassify(v[l]) == FP_SUBNORMAL)
      v[l] = copysignf(0, v[l]);
}

static const void *flushed(const void *source, uint8_t type, uint8_t *copy)
{
  if (type != SL_PTX_F32)
    return source;
  for (unsigned l = 0; l < SL_PTX_LANES; l++)
    ((single *)copy)[l] = ((const single *)source)[l];
  flush((single *)copy, UINT32_MAX);
  return copy;
}

static void saturate(void *d, uint8_t type, uint32_t lanes)
{
  for (unsigned l = 0; l < SL_PTX_LANES; l++) {
    if ((lanes >> l & 1) == 0)
      continue;
    if (type == SL_PTX_F32) {
      const float v = ((single *)d)[l];
      ((single *)d)[l] = v > 0 ? (v < 1 ? v : 1) : 0;
    } else {
      const double v = ((twice *)d)[l];
      ((twice *)d)[l] = v > 0 ? (v < 1 ? v : 1) : 0;
    }
  }
}

uint32_t sl_ptx_careful(const struct sl_ptx_insn *in, sl_ptx_lane_function *execute,
                        const struct sl_ptx_lane_operands *operands, uint32_t active)
{
  static const int modes[] = {
      [SL_PTX_RN] = FE_TONEAREST, [SL_PTX_RZ] = FE_TOWARDZERO, [SL_PTX_RM] = FE_DOWNWARD, [SL_PTX_RP] = FE_UPWARD};
  const struct sl_ptx_row *row = sl_ptx_row(in->row);
  struct sl_ptx_lane_operands o = *operands;
  struct copies copies;
  if (in->ftz) {
    o.a = flushed(o.a, row->a, copies.bytes[0]);
    o.b = flushed(o.b, row->b, copies.bytes[1]);
    o.c = flushed(o.c, row->c, copies.bytes[2]);
  }
  if (in->rounding != SL_PTX_RN)
    fesetround(modes[in->rounding]);
  const uint32_t result = execute(&o, active);
  if (in->rounding != SL_PTX_RN)
    fesetround(FE_TONEAREST);
  if (in->ftz && row->d == SL_PTX_F32)
    flush(o.d, active);
  if (in->saturate)
    saturate(o.d, row->d, active);
  return result;
}
