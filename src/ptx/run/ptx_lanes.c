/* Built once per x86-64 level (SL_LEVEL names it); the loops are plain C for the compiler to vectorise. */
#include "ptx/run/ptx_lanes.h"

#include "ptx/run/ptx_memory.h"
#include "ptx/run/ptx_values.h"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

#if defined(__clang__)
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (unsigned l = 0; l < SL_PTX_LANES; l++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (unsigned l = 0; l < SL_PTX_LANES; l++)
#endif

/* The type a row computes with, and the one its values are stored as. */
typedef uint8_t VALUE_u8;
typedef int8_t VALUE_s8;
typedef uint16_t VALUE_u16;
typedef int16_t VALUE_s16;
typedef uint32_t VALUE_u32, VALUE_x, VALUE_pr;
typedef int32_t VALUE_s32;
typedef uint64_t VALUE_u64;
typedef int64_t VALUE_s64;
typedef float VALUE_f32;
typedef double VALUE_f64;
typedef uint32_t word __attribute__((may_alias));
typedef uint64_t wide __attribute__((may_alias));
typedef word STORE_u8, STORE_s8, STORE_u16, STORE_s16, STORE_u32, STORE_s32, STORE_x, STORE_pr;
typedef wide STORE_u64, STORE_s64;
typedef float STORE_f32 __attribute__((may_alias));
typedef double STORE_f64 __attribute__((may_alias));

#define SOURCES(at, bt, ct, et)                                                                                        \
  const STORE_##at *ra = o->a;                                                                                         \
  const STORE_##bt *rb = o->b;                                                                                         \
  const STORE_##ct *rc = o->c;                                                                                         \
  const STORE_##et *re = o->e;                                                                                         \
  (void)ra, (void)rb, (void)rc, (void)re

#define LANE_VALUES(at, bt, ct, et)                                                                                    \
  const VALUE_##at a = (VALUE_##at)ra[l];                                                                              \
  const VALUE_##bt b = (VALUE_##bt)rb[l];                                                                              \
  const VALUE_##ct c = (VALUE_##ct)rc[l];                                                                              \
  const VALUE_##et e = (VALUE_##et)re[l];                                                                              \
  const uint32_t p = o->p >> l & 1;                                                                                    \
  (void)a, (void)b, (void)c, (void)e, (void)p

#define VALUE(id, class, dt, at, bt, ct, et, expression)                                                               \
  static uint32_t value_##id(const struct sl_ptx_lane_operands *o, uint32_t on)                                        \
  {                                                                                                                    \
    STORE_##dt *d = o->d;                                                                                              \
    SOURCES(at, bt, ct, et);                                                                                           \
    if (on == UINT32_MAX)                                                                                              \
      EACH_LANE                                                                                                        \
      {                                                                                                                \
        LANE_VALUES(at, bt, ct, et);                                                                                   \
        d[l] = (STORE_##dt)(VALUE_##dt)(expression);                                                                   \
      }                                                                                                                \
    else                                                                                                               \
      EACH_LANE                                                                                                        \
      {                                                                                                                \
        LANE_VALUES(at, bt, ct, et);                                                                                   \
        const STORE_##dt value = (STORE_##dt)(VALUE_##dt)(expression);                                                 \
        d[l] = on >> l & 1 ? value : d[l];                                                                             \
      }                                                                                                                \
    return 0;                                                                                                          \
  }

#define CARRY(id, class, dt, at, bt, ct, expression, carry)                                                            \
  static uint32_t value_##id(const struct sl_ptx_lane_operands *o, uint32_t on)                                        \
  {                                                                                                                    \
    STORE_##dt *d = o->d;                                                                                              \
    SOURCES(at, bt, ct, x);                                                                                            \
    uint32_t carries = 0;                                                                                              \
    for (unsigned l = 0; l < SL_PTX_LANES; l++) {                                                                      \
      LANE_VALUES(at, bt, ct, x);                                                                                      \
      const STORE_##dt value = (STORE_##dt)(VALUE_##dt)(expression);                                                   \
      carries |= (uint32_t)((carry)&1) << l;                                                                           \
      d[l] = on >> l & 1 ? value : d[l];                                                                               \
    }                                                                                                                  \
    return (carries & on) | (o->p & ~on);                                                                              \
  }

#define COND(id, at, bt, expression)                                                                                   \
  static uint32_t value_##id(const struct sl_ptx_lane_operands *o, uint32_t on)                                        \
  {                                                                                                                    \
    SOURCES(at, bt, x, x);                                                                                             \
    uint32_t set = 0;                                                                                                  \
    for (unsigned l = 0; l < SL_PTX_LANES; l++) {                                                                      \
      LANE_VALUES(at, bt, x, x);                                                                                       \
      set |= (uint32_t)(expression) << l;                                                                              \
    }                                                                                                                  \
    return set & on;                                                                                                   \
  }
#include "ptx/run/ptx_lanes.def"

const struct sl_ptx_lane_ops JOIN(sl_ptx_lane_ops, SL_LEVEL) = {.level = TEXT(SL_LEVEL),
                                                                .execute = {
#define VALUE(id, class, d, a, b, c, e, value) [SL_PTX_ROW_##id] = value_##id,
#define CARRY(id, class, d, a, b, c, value, carry) [SL_PTX_ROW_##id] = value_##id,
#define COND(id, a, b, value) [SL_PTX_ROW_##id] = value_##id,
#include "ptx/run/ptx_lanes.def"
                                                                }};
