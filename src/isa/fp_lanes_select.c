#include "isa/fp_lanes.h"
#include "isa/host_level.h"

static const struct sl_fp_ops portable = {.level = "portable"};

/* One table per build of fp_vector.c and lane count; n stands for any count. */
#define DECLARE_LEVEL(level)                                                                                           \
  extern const struct sl_fp_ops sl_fp_ops_##level##_16, sl_fp_ops_##level##_32, sl_fp_ops_##level##_n;

#define FOR_LANES(level, lanes)                                                                                        \
  ((lanes) == 32 ? &sl_fp_ops_##level##_32 : (lanes) == 16 ? &sl_fp_ops_##level##_16 : &sl_fp_ops_##level##_n)

#ifdef SL_X86_LEVELS

DECLARE_LEVEL(baseline)
#ifdef SL_LEVEL_AVX2
DECLARE_LEVEL(avx2)
#endif
#ifdef SL_LEVEL_AVX512
DECLARE_LEVEL(avx512)
#endif

const struct sl_fp_ops *sl_fp_ops(unsigned lanes)
{
  switch (sl_host_level()) {
#ifdef SL_LEVEL_AVX512
  case SL_HOST_AVX512: return FOR_LANES(avx512, lanes);
#endif
#ifdef SL_LEVEL_AVX2
  case SL_HOST_AVX2: return FOR_LANES(avx2, lanes);
#endif
  default: return FOR_LANES(baseline, lanes);
  }
}

#else

const struct sl_fp_ops *sl_fp_ops(unsigned lanes)
{
  (void)lanes;
  return &portable;
}

#endif

const struct sl_fp_ops *sl_fp_ops_portable(void)
{
  return &portable;
}
