/* Loads and stores as steps of all lanes, built once per x86-64 level. Addresses that are the same in all lanes, or
 * consecutive, are one access of the host. An access that this does not cover, or that has a fault, is left to the
 * general step. */
#include "ptx/step/ptx_step.h"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)

#if defined(__clang__)
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (unsigned l = 0; l < SL_PTX_LANES; l++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (unsigned l = 0; l < SL_PTX_LANES; l++)
#endif

typedef uint32_t word __attribute__((may_alias));
typedef uint64_t wide __attribute__((may_alias));

enum form { NOT_FOUND, UNIFORM, CONSECUTIVE, SCATTERED };

/* An access that is entirely in memory, and aligned: lane l's is at data + offset[l], or from data on. */
struct found {
  enum form form;
  uint8_t *data;
  _Alignas(64) uint64_t offset[SL_PTX_LANES]; /* of scattered accesses */
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

/* `bytes`, a power of two, is a constant at each call. */
static inline enum form find(const struct sl_ptx_run *r, const struct sl_ptx_step *s, bool narrow, uint64_t bytes,
                             struct found *f)
{
  _Alignas(64) uint64_t extended[SL_PTX_LANES];
  const void *registers = sl_ptx_operand(r, s->a);
  const wide *address = registers;
  if (narrow) {
    EACH_LANE
    extended[l] = ((const word *)registers)[l];
    address = extended;
  }
  const uint64_t first = address[0] + s->immediate, gap = address[1] - address[0];
  const struct sl_ptx_view *v = &r->view[s->space];
  if (__builtin_expect(first - v->base >= v->bytes, 0) && s->space <= SL_PTX_GLOBAL &&
      (v = other_view(r, s->space, first)) == NULL)
    return NOT_FOUND;
  if ((gap == 0 || gap == bytes) && v->stride == 0) {
    const uint64_t start = address[0], some = 0 - (uint64_t)(gap != 0);
    uint64_t differ = 0;
    EACH_LANE
    differ |= address[l] ^ (start + (l * bytes & some));
    if (differ == 0) {
      const uint64_t offset = first - v->base;
      f->data = v->data + offset;
      if ((offset & (bytes - 1)) != 0 || !holds(v, offset, bytes + (gap != 0 ? (SL_PTX_LANES - 1) * bytes : 0)))
        return NOT_FOUND;
      return gap == 0 ? UNIFORM : CONSECUTIVE;
    }
  }
  return scatter(v, address, s->immediate, bytes, f);
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

/* One with addresses of 32 bits, one of 64 bits. */
#define MOVE(name, memory_t, value_t, store_t, narrow)                                                                 \
  static const struct sl_ptx_step *load_##name##_##narrow(struct sl_ptx_run *r, const struct sl_ptx_step *s)           \
  {                                                                                                                    \
    struct found f;                                                                                                    \
    store_t *d = (store_t *)(void *)sl_ptx_operand(r, s->d);                                                           \
    switch (find(r, s, narrow, sizeof(memory_t), &f)) {                                                                \
    case UNIFORM: {                                                                                                    \
      const store_t v = (store_t)(value_t)get_##memory_t(f.data);                                                      \
      EACH_LANE                                                                                                        \
      d[l] = v;                                                                                                        \
      return s + 1;                                                                                                    \
    }                                                                                                                  \
    case CONSECUTIVE:                                                                                                  \
      EACH_LANE                                                                                                        \
      d[l] = (store_t)(value_t)get_##memory_t(f.data + l * sizeof(memory_t));                                          \
      return s + 1;                                                                                                    \
    case SCATTERED:                                                                                                    \
      for (unsigned l = 0; l < SL_PTX_LANES; l++)                                                                      \
        d[l] = (store_t)(value_t)get_##memory_t(f.data + f.offset[l]);                                                 \
      return s + 1;                                                                                                    \
    case NOT_FOUND: break;                                                                                             \
    }                                                                                                                  \
    return s->some(r, s);                                                                                              \
  }                                                                                                                    \
  static const struct sl_ptx_step *store_##name##_##narrow(struct sl_ptx_run *r, const struct sl_ptx_step *s)          \
  {                                                                                                                    \
    struct found f;                                                                                                    \
    const store_t *v = (const store_t *)(void *)sl_ptx_operand(r, s->d);                                               \
    switch (find(r, s, narrow, sizeof(memory_t), &f)) {                                                                \
    case UNIFORM: put_##memory_t(f.data, (memory_t)v[SL_PTX_LANES - 1]); return s + 1; /* the highest lane wins */     \
    case CONSECUTIVE:                                                                                                  \
      EACH_LANE                                                                                                        \
      put_##memory_t(f.data + l * sizeof(memory_t), (memory_t)v[l]);                                                   \
      return s + 1;                                                                                                    \
    case SCATTERED:                                                                                                    \
      for (unsigned l = 0; l < SL_PTX_LANES; l++)                                                                      \
        put_##memory_t(f.data + f.offset[l], (memory_t)v[l]);                                                          \
      return s + 1;                                                                                                    \
    case NOT_FOUND: break;                                                                                             \
    }                                                                                                                  \
    return s->some(r, s);                                                                                              \
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

/* Vectors of 2 or 4 elements in registers of the same size. */
static inline void move_vector(const struct sl_ptx_run *r, const struct sl_ptx_insn *in, struct found *f)
{
  for (unsigned i = 0; i < in->elements; i++) {
    uint8_t *registers = r->warp->area[in->element[i].area] + in->element[i].offset;
    const bool load = in->kind == SL_PTX_K_LOAD;
    (load ? r->warp->ops->load : r->warp->ops->store)[in->moved][in->wide >> i & 1](registers, f->data + i * in->bytes,
                                                                                    f->offset, UINT32_MAX);
  }
}

static inline const struct sl_ptx_step *vector(struct sl_ptx_run *r, const struct sl_ptx_step *s, bool narrow)
{
  struct found f;
  const struct sl_ptx_insn *in = s->insn;
  const uint64_t bytes = (uint64_t)in->bytes * in->elements;
  const enum form form = find(r, s, narrow, bytes, &f);
  if (form == NOT_FOUND)
    return s->some(r, s);
  if (form != SCATTERED)
    EACH_LANE
  f.offset[l] = form == CONSECUTIVE ? l * bytes : 0;
  move_vector(r, in, &f);
  return s + 1;
}

static const struct sl_ptx_step *vector_0(struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  return vector(r, s, false);
}

static const struct sl_ptx_step *vector_1(struct sl_ptx_run *r, const struct sl_ptx_step *s)
{
  return vector(r, s, true);
}

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
const struct sl_ptx_direct_ops JOIN(sl_ptx_direct_ops,
                                    SL_LEVEL) = {.load = MOVES(load), .store = MOVES(store), .vector = WIDTHS(vector)};
