#include <string.h>

#include "isa/host_level.h"
#include "ptx/run/ptx_lanes.h"

extern const struct sl_ptx_lane_ops sl_ptx_lane_ops_baseline;
#ifdef SL_LEVEL_AVX2
extern const struct sl_ptx_lane_ops sl_ptx_lane_ops_avx2;
#endif
#ifdef SL_LEVEL_AVX512
extern const struct sl_ptx_lane_ops sl_ptx_lane_ops_avx512;
#endif

const struct sl_ptx_lane_ops *sl_ptx_lane_ops_portable(void)
{
  return &sl_ptx_lane_ops_baseline;
}

const struct sl_ptx_lane_ops *sl_ptx_lane_ops(void)
{
  switch (sl_host_level()) {
#ifdef SL_LEVEL_AVX512
  case SL_HOST_AVX512: return &sl_ptx_lane_ops_avx512;
#endif
#ifdef SL_LEVEL_AVX2
  case SL_HOST_AVX2: return &sl_ptx_lane_ops_avx2;
#endif
  default: return sl_ptx_lane_ops_portable();
  }
}

enum {
  TYPE_x = SL_PTX_NO_TYPE,
  TYPE_pr = SL_PTX_PRED,
  TYPE_u8 = SL_PTX_U8,
  TYPE_s8 = SL_PTX_S8,
  TYPE_u16 = SL_PTX_U16,
  TYPE_s16 = SL_PTX_S16,
  TYPE_u32 = SL_PTX_U32,
  TYPE_s32 = SL_PTX_S32,
  TYPE_u64 = SL_PTX_U64,
  TYPE_s64 = SL_PTX_S64,
  TYPE_f32 = SL_PTX_F32,
  TYPE_f64 = SL_PTX_F64
};

#define VALUE(id, cl, dt, at, bt, ct, et, value)                                                                       \
  {.name = #id, .class = SL_PTX_C_##cl, .d = TYPE_##dt, .a = TYPE_##at, .b = TYPE_##bt, .c = TYPE_##ct, .e = TYPE_##et},
#define CARRY(id, cl, dt, at, bt, ct, value, carry)                                                                    \
  {.name = #id,                                                                                                        \
   .class = SL_PTX_C_##cl,                                                                                             \
   .d = TYPE_##dt,                                                                                                     \
   .a = TYPE_##at,                                                                                                     \
   .b = TYPE_##bt,                                                                                                     \
   .c = TYPE_##ct,                                                                                                     \
   .carries = true},
#define ARRAY(id, cl, call) {.name = #id, .class = SL_PTX_C_##cl, .d = SL_PTX_F32, .a = SL_PTX_F32},
#define COND(id, at, bt, value) {.name = #id, .d = SL_PTX_PRED, .a = TYPE_##at, .b = TYPE_##bt, .condition = true},

static const struct sl_ptx_row rows[SL_PTX_ROWS] = {
#include "ptx/run/ptx_lanes.def"
};

const struct sl_ptx_row *sl_ptx_row(unsigned number)
{
  return &rows[number];
}

unsigned sl_ptx_row_find(const char *name)
{
  unsigned n = 0;
  while (n < SL_PTX_ROWS && strcmp(rows[n].name, name) != 0)
    n++;
  return n;
}
