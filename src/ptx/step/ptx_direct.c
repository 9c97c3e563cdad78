/* Loads and stores as steps of all lanes, built once per x86-64 level. Addresses that are the same in all lanes, or
 * consecutive, are one access of the host; those that are so in rows of eight lanes, as in blocks of 8 or 16 threads
 * across, are four. Any access that has a fault is left to the general step. */
#include "ptx/step/ptx_step.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)

#if defined(__clang__)
#define VECTORISED _Pragma("clang loop vectorize(assume_safety)")
#else
#define VECTORISED _Pragma("GCC ivdep")
#endif
#define EACH_LANE VECTORISED for (unsigned l = 0; l < SL_PTX_LANES; l++)
#define EACH_LANE_OF_ROW VECTORISED for (unsigned i = 0; i < ROW; i++)

typedef uint32_t word __attribute__((may_alias));
typedef uint64_t wide __attribute__((may_alias));

enum form { NOT_FOUND, UNIFORM, CONSECUTIVE, UNIFORM_ROWS, CONSECUTIVE_ROWS, SCATTERED };

enum { ROW = 8, ROWS = SL_PTX_LANES / ROW };

/* An access that is entirely in memory, and aligned: lane l's is at data + offset[l], row r's from data + offset[r] on,
 * or all from data on. */
struct found {
  enum form form;
  uint8_t *data;
  _Alignas(64) uint64_t offset[SL_PTX_LANES]; /* of scattered accesses; of rows */
};

/* The memory of a global or generic address that is not in the heap. */
static const struct sl_ptx_view *other_view(const struct sl_ptx_run *r, uint8_t space, uint64_t address)
{
  const struct sl_ptx_view *v = &r->view[SL_PTX_VIEW_STATICS];
  for (; v < &r->view[space == SL_PTX_GENERIC ? SL_PTX_VIEWS : SL_PTX_VIEW_STATICS + 1]; v++)
    if (address - v->base < v->bytes)
      return v;
  return NULL;
}

static inline bool holds(const struct sl_ptx_view *v, uint64_t offset, uint64_t bytes)
{
  return offset < v->bytes && bytes <= v->bytes - offset;
}

/* The general case: addresses are registers[l] + immediate. */
static enum form scatter(const struct sl_ptx_view *v, const wide *registers, uint64_t immediate, uint64_t bytes,
                         struct found *f)
{
  const uint64_t shift = immediate - v->base, stride = v->stride;
  uint64_t bits = 0, most = 0;
  EACH_LANE
  {
    const uint64_t from_base = registers[l] + shift;
    bits |= from_base;
    most = from_base > most ? from_base : most;
    f->offset[l] = from_base + l * stride;
  }
  f->data = v->data;
  return (bits & (bytes - 1)) == 0 && holds(v, most, bytes) ? SCATTERED : NOT_FOUND;
}

/* Whether lane l has the value start + l * step, for all lanes. `step` is a constant at each call. */
static inline bool all_are(const wide *values, uint64_t start, uint64_t step)
{
#ifdef __AVX512F__
  __m512i differ = _mm512_setzero_si512();
  const __m512i lane = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), first = _mm512_set1_epi64((int64_t)start);
  for (unsigned l = 0; l < SL_PTX_LANES; l += 8) {
    const __m512i offset =
        _mm512_mullo_epi64(_mm512_add_epi64(lane, _mm512_set1_epi64(l)), _mm512_set1_epi64((int64_t)step));
    const __m512i want = _mm512_add_epi64(first, offset);
    differ = _mm512_or_si512(differ, _mm512_xor_si512(_mm512_loadu_si512(values + l), want));
  }
  return _mm512_test_epi64_mask(differ, differ) == 0;
#else
  uint64_t differ = 0;
  EACH_LANE
  differ |= values[l] ^ (start + l * step);
  return differ == 0;
#endif
}

static inline const wide *widened(const void *registers, bool narrow, wide *extended)
{
  if (!narrow)
    return registers;
  EACH_LANE
  extended[l] = ((const word *)registers)[l];
  return extended;
}

/* Equal or consecutive addresses in a memory. `bytes`, a power of two, is a constant at each call. */
static inline enum form find_near(const struct sl_ptx_view *v, const wide *address, uint64_t immediate, uint64_t bytes,
                                  struct found *f)
{
  const uint64_t start = address[0], gap = address[1] - start, offset = start + immediate - v->base;
  if (v->stride != 0 || (offset & (bytes - 1)) != 0 || !holds(v, offset, bytes))
    return NOT_FOUND;
  f->data = v->data + offset;
  if ((gap != 0 && gap != bytes) || address[SL_PTX_LANES - 1] != start + (SL_PTX_LANES - 1) * gap)
    return NOT_FOUND;
  if (gap == 0)
    return all_are(address, start, 0) ? UNIFORM : NOT_FOUND;
  return all_are(address, start, bytes) && holds(v, offset, SL_PTX_LANES * bytes) ? CONSECUTIVE : NOT_FOUND;
}

/* Whether the lanes of each row have the values start + i * step from the row's first value on. */
static inline bool rows_are(const wide *values, uint64_t step)
{
#ifdef __AVX512F__
  __m512i differ = _mm512_setzero_si512();
  const __m512i gaps = _mm512_mullo_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), _mm512_set1_epi64((int64_t)step));
  for (unsigned r = 0; r < ROWS; r++) {
    const __m512i want = _mm512_add_epi64(_mm512_set1_epi64((int64_t)values[r * ROW]), gaps);
    differ = _mm512_or_si512(differ, _mm512_xor_si512(_mm512_loadu_si512(values + r * ROW), want));
  }
  return _mm512_test_epi64_mask(differ, differ) == 0;
#else
  uint64_t differ = 0;
  for (unsigned r = 0; r < ROWS; r++)
    for (unsigned i = 0; i < ROW; i++)
      differ |= values[r * ROW + i] ^ (values[r * ROW] + i * step);
  return differ == 0;
#endif
}

/* Equal or consecutive addresses in each row. */
static inline enum form find_rows(const struct sl_ptx_view *v, const wide *address, uint64_t immediate, uint64_t bytes,
                                  struct found *f)
{
  const uint64_t gap = address[1] - address[0], shift = immediate - v->base;
  if ((gap != 0 && gap != bytes) || v->stride != 0 || !rows_are(address, gap))
    return NOT_FOUND;
  uint64_t bits = 0, most = 0;
  for (unsigned r = 0; r < ROWS; r++) {
    f->offset[r] = address[r * ROW] + shift;
    bits |= f->offset[r];
    most = f->offset[r] > most ? f->offset[r] : most;
  }
  f->data = v->data;
  if ((bits & (bytes - 1)) != 0 || !holds(v, most, gap == 0 ? bytes : ROW * bytes))
    return NOT_FOUND;
  return gap == 0 ? UNIFORM_ROWS : CONSECUTIVE_ROWS;
}

/* The memory of an access whose first address is this one; NULL: none. */
static inline const struct sl_ptx_view *view_of(const struct sl_ptx_run *r, const struct sl_ptx_step *s, uint64_t first)
{
  const struct sl_ptx_view *v = &r->view[s->space];
  if (first - v->base < v->bytes)
    return v;
  return s->space > SL_PTX_GLOBAL ? NULL : other_view(r, s->space, first);
}

/* In any memory, with any addresses. */
static inline enum form find(const struct sl_ptx_run *r, const struct sl_ptx_step *s, const wide *address,
                             uint64_t bytes, struct found *f)
{
  const struct sl_ptx_view *v = view_of(r, s, address[0] + s->immediate);
  if (v == NULL)
    return NOT_FOUND;
  const enum form form = find_near(v, address, s->immediate, bytes, f);
  return form != NOT_FOUND ? form : scatter(v, address, s->immediate, bytes, f);
}

/* The same after the memory of the space had no equal or consecutive addresses; also rows. */
static inline enum form find_far(const struct sl_ptx_run *r, const struct sl_ptx_step *s, const wide *address,
                                 uint64_t bytes, struct found *f)
{
  const struct sl_ptx_view *v = view_of(r, s, address[0] + s->immediate);
  if (v == NULL)
    return NOT_FOUND;
  enum form form = v == &r->view[s->space] ? NOT_FOUND : find_near(v, address, s->immediate, bytes, f);
  if (form == NOT_FOUND)
    form = find_rows(v, address, s->immediate, bytes, f);
  return form != NOT_FOUND ? form : scatter(v, address, s->immediate, bytes, f);
}

/* memcpy, since types mix in memory. */
#define GET(memory_t)                                                                                                  \
  static inline memory_t get_##memory_t(const uint8_t *from)                                                           \
  {                                                                                                                    \
    memory_t v;                                                                                                        \
    __builtin_memcpy(&v, from, sizeof v);                                                                              \
    return v;                                                                                                          \
  }                                                                                                                    \
  static inline void put_##memory_t(uint8_t *to, memory_t v)                                                           \
  {                                                                                                                    \
    __builtin_memcpy(to, &v, sizeof v);                                                                                \
  }
GET(uint8_t)
GET(uint16_t)
GET(uint32_t)
GET(uint64_t)

/* Words of rows, two rows in one store of the host: the next step loads as many at once, and such a load waits long for
 * two stores. same: a row's lanes have one address. */
typedef word word8 __attribute__((vector_size(4 * ROW), aligned(4)));
typedef word word16 __attribute__((vector_size(8 * ROW), aligned(4)));

static inline void take_rows(word *d, const struct found *f, bool same)
{
  for (unsigned r = 0; r < ROWS; r += 2) {
    const uint8_t *const from = f->data + f->offset[r], *const next = f->data + f->offset[r + 1];
    word8 low, high;
    if (same) {
      low = (word8){0} + get_uint32_t(from);
      high = (word8){0} + get_uint32_t(next);
    } else {
      __builtin_memcpy(&low, from, sizeof low);
      __builtin_memcpy(&high, next, sizeof high);
    }
    *(word16 *)(void *)(d + (size_t)r * ROW) =
        __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  }
}

/* A load and a store with addresses of 32 or 64 bits: first the most frequent forms, then all. */
#define MOVE(name, memory_t, value_t, store_t, narrow)                                                                 \
  static inline bool take_##name##_##narrow(store_t *d, enum form form, const struct found *f)                         \
  {                                                                                                                    \
    if (form == UNIFORM) {                                                                                             \
      const store_t v = (store_t)(value_t)get_##memory_t(f->data);                                                     \
      EACH_LANE                                                                                                        \
      d[l] = v;                                                                                                        \
    } else if (form == CONSECUTIVE) {                                                                                  \
      EACH_LANE                                                                                                        \
      d[l] = (store_t)(value_t)get_##memory_t(f->data + l * sizeof(memory_t));                                         \
    } else if ((form == UNIFORM_ROWS || form == CONSECUTIVE_ROWS) && sizeof(memory_t) == 4 && sizeof(store_t) == 4) {  \
      take_rows((word *)(void *)d, f, form == UNIFORM_ROWS);                                                           \
    } else if (form == UNIFORM_ROWS) {                                                                                 \
      for (unsigned r = 0; r < ROWS; r++) {                                                                            \
        const store_t v = (store_t)(value_t)get_##memory_t(f->data + f->offset[r]);                                    \
        EACH_LANE_OF_ROW                                                                                               \
        d[r * ROW + i] = v;                                                                                            \
      }                                                                                                                \
    } else if (form == CONSECUTIVE_ROWS) {                                                                             \
      for (unsigned r = 0; r < ROWS; r++)                                                                              \
        EACH_LANE_OF_ROW                                                                                               \
      d[r * ROW + i] = (store_t)(value_t)get_##memory_t(f->data + f->offset[r] + i * sizeof(memory_t));                \
    } else if (form == SCATTERED) {                                                                                    \
      for (unsigned l = 0; l < SL_PTX_LANES; l++)                                                                      \
        d[l] = (store_t)(value_t)get_##memory_t(f->data + f->offset[l]);                                               \
    }                                                                                                                  \
    return form != NOT_FOUND;                                                                                          \
  }                                                                                                                    \
  static inline bool give_##name##_##narrow(const store_t *v, enum form form, const struct found *f)                   \
  {                                                                                                                    \
    if (form == UNIFORM) {                                                                                             \
      put_##memory_t(f->data, (memory_t)v[SL_PTX_LANES - 1]); /* the highest lane wins */                              \
    } else if (form == CONSECUTIVE) {                                                                                  \
      EACH_LANE                                                                                                        \
      put_##memory_t(f->data + l * sizeof(memory_t), (memory_t)v[l]);                                                  \
    } else if (form == UNIFORM_ROWS) {                                                                                 \
      for (unsigned r = 0; r < ROWS; r++)                                                                              \
        put_##memory_t(f->data + f->offset[r], (memory_t)v[r * ROW + ROW - 1]);                                        \
    } else if (form == CONSECUTIVE_ROWS) {                                                                             \
      for (unsigned r = 0; r < ROWS; r++)                                                                              \
        EACH_LANE_OF_ROW                                                                                               \
      put_##memory_t(f->data + f->offset[r] + i * sizeof(memory_t), (memory_t)v[r * ROW + i]);                         \
    } else if (form == SCATTERED) {                                                                                    \
      for (unsigned l = 0; l < SL_PTX_LANES; l++)                                                                      \
        put_##memory_t(f->data + f->offset[l], (memory_t)v[l]);                                                        \
    }                                                                                                                  \
    return form != NOT_FOUND;                                                                                          \
  }                                                                                                                    \
  GENERAL(load_any_##name##_##narrow, take_##name##_##narrow, memory_t, store_t, narrow)                               \
  GENERAL(store_any_##name##_##narrow, give_##name##_##narrow, memory_t, store_t, narrow)                              \
  NEAR(load_##name##_##narrow, load_any_##name##_##narrow, take_##name##_##narrow, memory_t, store_t, narrow)          \
  NEAR(store_##name##_##narrow, store_any_##name##_##narrow, give_##name##_##narrow, memory_t, store_t, narrow)
#define GENERAL(name, move, memory_t, store_t, narrow)                                                                 \
  static __attribute__((noinline)) const struct sl_ptx_step *name(struct sl_ptx_run *r, const struct sl_ptx_step *s)   \
  {                                                                                                                    \
    struct found f;                                                                                                    \
    _Alignas(64) wide extended[SL_PTX_LANES];                                                                          \
    const wide *address = widened(sl_ptx_operand(r, s->a), narrow, extended);                                          \
    const enum form form = find_far(r, s, address, sizeof(memory_t), &f);                                              \
    return move((store_t *)(void *)sl_ptx_operand(r, s->d), form, &f) ? s + 1 : s->general(r, s);                      \
  }
#define NEAR(name, general, move, memory_t, store_t, narrow)                                                           \
  static const struct sl_ptx_step *name(struct sl_ptx_run *r, const struct sl_ptx_step *s)                             \
  {                                                                                                                    \
    struct found f;                                                                                                    \
    wide extended[SL_PTX_LANES];                                                                                       \
    const wide *address = widened(sl_ptx_operand(r, s->a), narrow, extended);                                          \
    const enum form form = find_near(&r->view[s->space], address, s->immediate, sizeof(memory_t), &f);                 \
    return move((store_t *)(void *)sl_ptx_operand(r, s->d), form, &f) ? s + 1 : general(r, s);                         \
  }
#define BOTH(name, memory_t, value_t, store_t)                                                                         \
  MOVE(name, memory_t, value_t, store_t, 0)                                                                            \
  MOVE(name, memory_t, value_t, store_t, 1)
BOTH(u8_word, uint8_t, uint8_t, word)
BOTH(u8_wide, uint8_t, uint8_t, wide)
BOTH(u16_word, uint16_t, uint16_t, word)
BOTH(u16_wide, uint16_t, uint16_t, wide)
BOTH(u32_word, uint32_t, uint32_t, word)
BOTH(u32_wide, uint32_t, uint32_t, wide)
BOTH(u64_wide, uint64_t, uint64_t, wide)
BOTH(s8_word, uint8_t, int8_t, word)
BOTH(s8_wide, uint8_t, int8_t, wide)
BOTH(s16_word, uint16_t, int16_t, word)
BOTH(s16_wide, uint16_t, int16_t, wide)
BOTH(s32_word, uint32_t, int32_t, word)
BOTH(s32_wide, uint32_t, int32_t, wide)

/* All elements of a vector, on some lanes. */
static inline void move_elements(const struct sl_ptx_run *r, const struct sl_ptx_insn *in, struct found *f,
                                 uint32_t active)
{
  const struct sl_ptx_lane_ops *ops = r->warp->ops;
  for (unsigned i = 0; i < in->elements; i++) {
    uint8_t *registers = r->warp->area[in->element[i].area] + in->element[i].offset;
    sl_ptx_move_function *const *move = (in->kind == SL_PTX_K_LOAD ? ops->load : ops->store)[in->moved];
    move[in->wide >> i & 1](registers, f->data + i * in->bytes, f->offset, active);
  }
}

static inline const struct sl_ptx_step *vector(struct sl_ptx_run *r, const struct sl_ptx_step *s, bool narrow)
{
  struct found f;
  const struct sl_ptx_insn *in = s->insn;
  const uint64_t bytes = (uint64_t)in->bytes * in->elements;
  _Alignas(64) wide extended[SL_PTX_LANES];
  const wide *address = widened(sl_ptx_operand(r, s->a), narrow, extended);
  const enum form form = find(r, s, address, bytes, &f);
  if (form == NOT_FOUND)
    return s->general(r, s);
  if (form != SCATTERED)
    EACH_LANE
  f.offset[l] = form == CONSECUTIVE ? l * bytes : 0;
  move_elements(r, in, &f, UINT32_MAX);
  return s + 1;
}

/* Other lanes get the address of the lowest active one. */
static inline const struct sl_ptx_step *some(struct sl_ptx_run *r, const struct sl_ptx_step *s, bool narrow)
{
  struct found f;
  _Alignas(64) wide extended[SL_PTX_LANES];
  const uint32_t active = sl_ptx_active(r, s);
  if (active != 0) {
    const struct sl_ptx_insn *in = s->insn;
    const wide *address = widened(sl_ptx_operand(r, s->a), narrow, extended);
    const uint64_t any = address[sl_lowest(active)], first = any + s->immediate;
    EACH_LANE
    extended[l] = active >> l & 1 ? address[l] : any;
    const struct sl_ptx_view *v = &r->view[s->space];
    if (first - v->base >= v->bytes && (s->space > SL_PTX_GLOBAL || (v = other_view(r, s->space, first)) == NULL))
      return s->general(r, s);
    if (scatter(v, extended, s->immediate, (uint64_t)in->bytes * in->elements, &f) == NOT_FOUND)
      return s->general(r, s);
    move_elements(r, in, &f, active);
  }
  sl_ptx_count_idle(r, active);
  return s + 1;
}

static inline enum sl_shape places(const struct sl_ptx_run *r, const struct sl_ptx_step *s, uint64_t bytes,
                                   wide *address, uint64_t ends[2], bool narrow)
{
  _Alignas(64) wide extended[SL_PTX_LANES];
  const wide *from = widened(sl_ptx_operand(r, s->a), narrow, extended);
  const uint64_t immediate = s->immediate, start = from[0] + immediate;
  uint64_t same = 0, row = 0, low = start, high = start;
  EACH_LANE
  {
    const uint64_t at = from[l] + immediate;
    address[l] = at;
    same |= at ^ start;
    row |= at ^ (start + l * bytes);
  }
  ends[0] = start;
  ends[1] = same == 0 ? start : start + (SL_PTX_LANES - 1) * bytes;
  if (same == 0 || row == 0)
    return same == 0 ? SL_SHAPE_SAME : SL_SHAPE_ROW;
  EACH_LANE
  {
    low = address[l] < low ? address[l] : low;
    high = address[l] > high ? address[l] : high;
  }
  ends[0] = low;
  ends[1] = high;
  return SL_SHAPE_OTHER;
}

static enum sl_shape places_0(const struct sl_ptx_run *r, const struct sl_ptx_step *s, uint64_t bytes,
                              uint64_t *address, uint64_t ends[2])
{
  return places(r, s, bytes, address, ends, false);
}

static enum sl_shape places_1(const struct sl_ptx_run *r, const struct sl_ptx_step *s, uint64_t bytes,
                              uint64_t *address, uint64_t ends[2])
{
  return places(r, s, bytes, address, ends, true);
}

#define BY_WIDTH(name)                                                                                                 \
  static const struct sl_ptx_step *name##_0(struct sl_ptx_run *r, const struct sl_ptx_step *s)                         \
  {                                                                                                                    \
    return name(r, s, false);                                                                                          \
  }                                                                                                                    \
  static const struct sl_ptx_step *name##_1(struct sl_ptx_run *r, const struct sl_ptx_step *s)                         \
  {                                                                                                                    \
    return name(r, s, true);                                                                                           \
  }
BY_WIDTH(vector)
BY_WIDTH(some)

#define WIDTHS(name)                                                                                                   \
  {                                                                                                                    \
    name##_0, name##_1                                                                                                 \
  }
#define MOVES(which)                                                                                                   \
  {                                                                                                                    \
    [SL_PTX_M_U8] = {WIDTHS(which##_u8_word), WIDTHS(which##_u8_wide)},                                                \
    [SL_PTX_M_U16] = {WIDTHS(which##_u16_word), WIDTHS(which##_u16_wide)},                                             \
    [SL_PTX_M_U32] = {WIDTHS(which##_u32_word), WIDTHS(which##_u32_wide)},                                             \
    [SL_PTX_M_U64] = {{NULL, NULL}, WIDTHS(which##_u64_wide)},                                                         \
    [SL_PTX_M_S8] = {WIDTHS(which##_s8_word), WIDTHS(which##_s8_wide)},                                                \
    [SL_PTX_M_S16] = {WIDTHS(which##_s16_word), WIDTHS(which##_s16_wide)}, [SL_PTX_M_S32] = {                          \
      WIDTHS(which##_s32_word),                                                                                        \
      WIDTHS(which##_s32_wide)                                                                                         \
    }                                                                                                                  \
  }

extern const struct sl_ptx_direct_ops JOIN(sl_ptx_direct_ops, SL_LEVEL);
const struct sl_ptx_direct_ops JOIN(sl_ptx_direct_ops, SL_LEVEL) = {.load = MOVES(load),
                                                                    .store = MOVES(store),
                                                                    .vector = WIDTHS(vector),
                                                                    .some = WIDTHS(some),
                                                                    .places = WIDTHS(places)};
