#include "isa/fp_lanes.h"
#include "isa/lanes.h"

#include <string.h>

static const struct sl_fp_ops portable = {.level = "portable"};

/* One table per build of fp_vector.c and lane count; n stands for any. */
#define DECLARE_LEVEL(level)                                                                                           \
  extern const struct sl_fp_ops sl_fp_ops_##level##_16, sl_fp_ops_##level##_32, sl_fp_ops_##level##_n;

#define FOR_LANES(level, lanes)                                                                                        \
  ((lanes) == 32 ? &sl_fp_ops_##level##_32 : (lanes) == 16 ? &sl_fp_ops_##level##_16 : &sl_fp_ops_##level##_n)

#ifdef SL_X86_LEVELS

DECLARE_LEVEL(baseline)
DECLARE_LEVEL(avx2)
DECLARE_LEVEL(avx512)

const struct sl_fp_ops *sl_fp_ops(unsigned lanes)
{
  const char *level = sl_lane_ops(lanes)->level;
  if (strcmp(level, "avx512") == 0)
    return FOR_LANES(avx512, lanes);
  if (strcmp(level, "avx2") == 0)
    return FOR_LANES(avx2, lanes);
  return FOR_LANES(baseline, lanes);
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
