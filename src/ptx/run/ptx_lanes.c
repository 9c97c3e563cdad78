/* Built once per x86-64 level (SL_LEVEL names it); the loops are plain C for the compiler to vectorise. */
#include "ptx/run/ptx_lanes.h"

#include "ptx/run/ptx_memory.h"
#include "ptx/run/ptx_values.h"
#include "ptx/step/ptx_step.h"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

#if defined(__clang__)
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (unsigned l = 0; l < SL_PTX_LANES; l++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (unsigned l = 0; l < SL_PTX_LANES; l++)
#endif

/* The type in which a row computes, and the type in which its values are stored. */
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

#define LANE_VALUES(at, bt, ct, et, predicates)                                                                        \
  const VALUE_##at a = (VALUE_##at)ra[l];                                                                              \
  const VALUE_##bt b = (VALUE_##bt)rb[l];                                                                              \
  const VALUE_##ct c = (VALUE_##ct)rc[l];                                                                              \
  const VALUE_##et e = (VALUE_##et)re[l];                                                                              \
  const uint32_t p = (predicates) >> l & 1;                                                                            \
  (void)a, (void)b, (void)c, (void)e, (void)p

/* The operands of a step: in `o` as above. A fourth source is left out. */
#define OPERANDS                                                                                                       \
  const struct sl_ptx_lane_operands operands = {sl_ptx_operand(r, s->d), sl_ptx_operand(r, s->a),                      \
                                                sl_ptx_operand(r, s->b), sl_ptx_operand(r, s->c),                      \
                                                sl_ptx_operand(r, s->b), 0},                                           \
                                    *const o = &operands
#define PREDICATES_x 0
#define PREDICATES_pr (*(const word *)o->c ^ s->flip_c)
#define PREDICATES_u16 0
#define PREDICATES_u32 0
#define PREDICATES_u64 0
#define PREDICATES_s16 0
#define PREDICATES_s32 0
#define PREDICATES_s64 0
#define PREDICATES_f32 0
#define PREDICATES_f64 0

#define VALUE(id, class, dt, at, bt, ct, et, expression)                                                               \
  static uint32_t value_##id(const struct sl_ptx_lane_operands *o, uint32_t on)                                        \
  {                                                                                                                    \
    STORE_##dt *d = o->d;                                                                                              \
    SOURCES(at, bt, ct, et);                                                                                           \
    if (on == UINT32_MAX)                                                                                              \
      EACH_LANE                                                                                                        \
      {                                                                                                                \
        LANE_VALUES(at, bt, ct, et, o->p);                                                                             \
        d[l] = (STORE_##dt)(VALUE_##dt)(expression);                                                                   \
      }                                                                                                                \
    else                                                                                                               \
      EACH_LANE                                                                                                        \
      {                                                                                                                \
        LANE_VALUES(at, bt, ct, et, o->p);                                                                             \
        const STORE_##dt value = (STORE_##dt)(VALUE_##dt)(expression);                                                 \
        d[l] = on >> l & 1 ? value : d[l];                                                                             \
      }                                                                                                                \
    return 0;                                                                                                          \
  }                                                                                                                    \
  static __attribute__((unused))                                                                                       \
  const struct sl_ptx_step *direct_##id(struct sl_ptx_run *r, const struct sl_ptx_step *s)                             \
  {                                                                                                                    \
    OPERANDS;                                                                                                          \
    const uint32_t predicates = PREDICATES_##ct;                                                                       \
    STORE_##dt *d = o->d;                                                                                              \
    SOURCES(at, bt, ct, et);                                                                                           \
    EACH_LANE                                                                                                          \
    {                                                                                                                  \
      LANE_VALUES(at, bt, ct, et, predicates);                                                                         \
      d[l] = (STORE_##dt)(VALUE_##dt)(expression);                                                                     \
    }                                                                                                                  \
    return s + 1;                                                                                                      \
  }

#define CARRY(id, class, dt, at, bt, ct, expression, carry)                                                            \
  static uint32_t value_##id(const struct sl_ptx_lane_operands *o, uint32_t on)                                        \
  {                                                                                                                    \
    STORE_##dt *d = o->d;                                                                                              \
    SOURCES(at, bt, ct, x);                                                                                            \
    uint32_t carries = 0;                                                                                              \
    for (unsigned l = 0; l < SL_PTX_LANES; l++) {                                                                      \
      LANE_VALUES(at, bt, ct, x, o->p);                                                                                \
      const STORE_##dt value = (STORE_##dt)(VALUE_##dt)(expression);                                                   \
      carries |= (uint32_t)((carry)&1) << l;                                                                           \
      d[l] = on >> l & 1 ? value : d[l];                                                                               \
    }                                                                                                                  \
    return (carries & on) | (o->p & ~on);                                                                              \
  }

#define ARRAY(id, class, call)                                                                                         \
  static uint32_t value_##id(const struct sl_ptx_lane_operands *o, uint32_t on)                                        \
  {                                                                                                                    \
    const STORE_f32 *a = o->a;                                                                                         \
    STORE_f32 *d = o->d;                                                                                               \
    float result[SL_PTX_LANES];                                                                                        \
    call;                                                                                                              \
    EACH_LANE                                                                                                          \
    d[l] = on >> l & 1 ? CANONICAL32(result[l]) : d[l];                                                                \
    return 0;                                                                                                          \
  }                                                                                                                    \
  static const struct sl_ptx_step *direct_##id(struct sl_ptx_run *r, const struct sl_ptx_step *s)                      \
  {                                                                                                                    \
    OPERANDS;                                                                                                          \
    value_##id(o, UINT32_MAX);                                                                                         \
    return s + 1;                                                                                                      \
  }

#define COND(id, at, bt, expression)                                                                                   \
  static uint32_t value_##id(const struct sl_ptx_lane_operands *o, uint32_t on)                                        \
  {                                                                                                                    \
    SOURCES(at, bt, x, x);                                                                                             \
    uint32_t set = 0;                                                                                                  \
    for (unsigned l = 0; l < SL_PTX_LANES; l++) {                                                                      \
      LANE_VALUES(at, bt, x, x, o->p);                                                                                 \
      set |= (uint32_t)(expression) << l;                                                                              \
    }                                                                                                                  \
    return set & on;                                                                                                   \
  }                                                                                                                    \
  static const struct sl_ptx_step *direct_##id(struct sl_ptx_run *r, const struct sl_ptx_step *s)                      \
  {                                                                                                                    \
    OPERANDS;                                                                                                          \
    SOURCES(at, bt, x, x);                                                                                             \
    uint32_t set = 0;                                                                                                  \
    for (unsigned l = 0; l < SL_PTX_LANES; l++) {                                                                      \
      LANE_VALUES(at, bt, x, x, 0);                                                                                    \
      set |= (uint32_t)(expression) << l;                                                                              \
    }                                                                                                                  \
    *(word *)o->d = set;                                                                                               \
    return s + 1;                                                                                                      \
  }
#include "ptx/run/ptx_lanes.def"

enum { FEW = 8 }; /* up to this number of lanes a loop over the lanes is faster */

static void few_addresses(struct sl_ptx_addressing *a, uint64_t *address, uint64_t *offset)
{
  const word *narrow = a->registers;
  const wide *full = a->registers;
  uint64_t bits = 0, most = 0;
  for (uint32_t rest = a->active; rest != 0; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    address[l] = (a->narrow ? narrow[l] : full[l]) + a->immediate;
    const uint64_t from_base = address[l] - a->base;
    bits |= from_base;
    most = from_base > most ? from_base : most;
    offset[l] = from_base + l * a->stride;
  }
  a->bits = bits;
  a->most = most;
  a->consecutive = false;
}

static void addresses(struct sl_ptx_addressing *a, uint64_t *address, uint64_t *offset)
{
  if (sl_count(a->active) <= FEW) {
    few_addresses(a, address, offset);
    return;
  }
  const word *narrow = a->registers;
  const wide *full = a->registers;
  const unsigned lowest = sl_lowest(a->active);
  const uint64_t immediate = a->immediate, base = a->base, stride = a->stride, bytes = a->bytes;
  const uint64_t any = (a->narrow ? narrow[lowest] : full[lowest]) + immediate, first = any - lowest * bytes;
  const uint32_t on = a->active;
  uint64_t bits = 0, most = 0, gaps = 0;
  if (a->narrow)
    EACH_LANE
  address[l] = on >> l & 1 ? narrow[l] + immediate : any;
  else EACH_LANE address[l] = on >> l & 1 ? full[l] + immediate : any;
  EACH_LANE
  {
    const uint64_t from_base = address[l] - base;
    bits |= from_base;
    most = from_base > most ? from_base : most;
    gaps |= address[l] ^ (first + l * bytes);
    offset[l] = from_base + l * stride;
  }
  a->bits = bits;
  a->most = most;
  a->consecutive = (gaps | stride) == 0 && on == UINT32_MAX;
}

/* memcpy, since types mix in memory. */
#define GET(memory_t)                                                                                                  \
  static inline memory_t get_##memory_t(const uint8_t *from)                                                           \
  {                                                                                                                    \
    memory_t v;                                                                                                        \
    __builtin_memcpy(&v, from, sizeof v);                                                                              \
    return v;                                                                                                          \
  }
GET(uint8_t)
GET(uint16_t)
GET(uint32_t)
GET(uint64_t)

#define MOVE(memory_t, value_t, store_t)                                                                               \
  static void load_##value_t##_##store_t(void *registers, uint8_t *data, const uint64_t *offset, uint32_t on)          \
  {                                                                                                                    \
    store_t *d = registers;                                                                                            \
    if (on == UINT32_MAX)                                                                                              \
      for (unsigned l = 0; l < SL_PTX_LANES; l++)                                                                      \
        d[l] = (store_t)(value_t)get_##memory_t(data + offset[l]);                                                     \
    else                                                                                                               \
      for (; on != 0; on &= on - 1) {                                                                                  \
        const unsigned l = sl_lowest(on);                                                                              \
        d[l] = (store_t)(value_t)get_##memory_t(data + offset[l]);                                                     \
      }                                                                                                                \
  }                                                                                                                    \
  static void store_##value_t##_##store_t(void *registers, uint8_t *data, const uint64_t *offset, uint32_t on)         \
  {                                                                                                                    \
    const store_t *s = registers;                                                                                      \
    for (; on != 0; on &= on - 1) {                                                                                    \
      const unsigned l = sl_lowest(on);                                                                                \
      const memory_t v = (memory_t)s[l];                                                                               \
      __builtin_memcpy(data + offset[l], &v, sizeof v);                                                                \
    }                                                                                                                  \
  }
MOVE(uint8_t, uint8_t, word)
MOVE(uint8_t, uint8_t, wide)
MOVE(uint16_t, uint16_t, word)
MOVE(uint16_t, uint16_t, wide)
MOVE(uint32_t, uint32_t, word)
MOVE(uint32_t, uint32_t, wide)
MOVE(uint64_t, uint64_t, wide)
MOVE(uint8_t, int8_t, word)
MOVE(uint8_t, int8_t, wide)
MOVE(uint16_t, int16_t, word)
MOVE(uint16_t, int16_t, wide)
MOVE(uint32_t, int32_t, word)
MOVE(uint32_t, int32_t, wide)

/* The parser ensures that a word register never takes 64 bits. */
#define MOVES(which)                                                                                                   \
  {                                                                                                                    \
    [SL_PTX_M_U8] = {which##_uint8_t_word, which##_uint8_t_wide},                                                      \
    [SL_PTX_M_U16] = {which##_uint16_t_word, which##_uint16_t_wide},                                                   \
    [SL_PTX_M_U32] = {which##_uint32_t_word, which##_uint32_t_wide}, [SL_PTX_M_U64] = {NULL, which##_uint64_t_wide},   \
    [SL_PTX_M_S8] = {which##_int8_t_word, which##_int8_t_wide},                                                        \
    [SL_PTX_M_S16] = {which##_int16_t_word, which##_int16_t_wide}, [SL_PTX_M_S32] = {                                  \
      which##_int32_t_word,                                                                                            \
      which##_int32_t_wide                                                                                             \
    }                                                                                                                  \
  }

extern const struct sl_ptx_direct_ops JOIN(sl_ptx_direct_ops, SL_LEVEL);

const struct sl_ptx_lane_ops JOIN(sl_ptx_lane_ops, SL_LEVEL) = {.level = TEXT(SL_LEVEL),
                                                                .memory = &JOIN(sl_ptx_direct_ops, SL_LEVEL),
                                                                .addresses = addresses,
                                                                .load = MOVES(load),
                                                                .store = MOVES(store),
                                                                .execute =
                                                                    {
#define VALUE(id, class, d, a, b, c, e, value) [SL_PTX_ROW_##id] = value_##id,
#define CARRY(id, class, d, a, b, c, value, carry) [SL_PTX_ROW_##id] = value_##id,
#define COND(id, a, b, value) [SL_PTX_ROW_##id] = value_##id,
#define ARRAY(id, class, call) [SL_PTX_ROW_##id] = value_##id,
#include "ptx/run/ptx_lanes.def"
                                                                    },
                                                                .direct = {
#define DIRECT_x(id) direct_##id
#define DIRECT_u32(id) NULL
#define VALUE(id, class, d, a, b, c, e, value) [SL_PTX_ROW_##id] = DIRECT_##e(id),
#define CARRY(id, class, d, a, b, c, value, carry)
#define COND(id, a, b, value) [SL_PTX_ROW_##id] = direct_##id,
#define ARRAY(id, class, call) [SL_PTX_ROW_##id] = direct_##id,
#include "ptx/run/ptx_lanes.def"
                                                                }};
