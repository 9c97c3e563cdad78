/* Step functions. This file is compiled once per x86-64 level (SL_LEVEL names it) and lane count (SL_STEP_LANES: a
 * number, or n for any). The loops are plain C that the compiler vectorises. */
#include "func/blocks/basic_blocks.h"
#include "func/lane_access.h"
#include "isa/semantics.h"

#define S(x) ((int32_t)(x))
#define JOIN3_(a, b, c) a##_##b##_##c
#define JOIN3(a, b, c) JOIN3_(a, b, c)

#define COUNT_16 16u
#define COUNT_32 32u
#define COUNT_n s->lanes
#define SET_16 uint32_t
#define SET_32 uint32_t
#define SET_n uint64_t
#define JOIN2_(a, b) a##b
#define JOIN2(a, b) JOIN2_(a, b)
#define LANES JOIN2(COUNT_, SL_STEP_LANES)
/* The narrowest type for a set of lanes, so that a vector holds the most lanes. */
#define SET JOIN2(SET_, SL_STEP_LANES)

#if defined(__clang__)
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (unsigned l = 0; l < LANES; l++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (unsigned l = 0; l < LANES; l++)
#endif

/* ---- values ----------------------------------------------------------------------------------------------------- */

#define OPERANDS                                                                                                       \
  uint32_t *d = s->x + p->d;                                                                                           \
  const uint32_t *ra = s->x + p->a, *rb = s->x + p->b;                                                                 \
  const uint32_t imm = p->imm, pc = 0; /* part of the immediate */                                                     \
  (void)imm, (void)pc;

#define ROW_VALUE(id, match, e)                                                                                        \
  static bool all_##id(const struct sl_step_lanes *s, const struct sl_step *p)                                         \
  {                                                                                                                    \
    OPERANDS                                                                                                           \
    EACH_LANE                                                                                                          \
    {                                                                                                                  \
      const uint32_t a = ra[l], b = rb[l];                                                                             \
      (void)a, (void)b;                                                                                                \
      d[l] = (uint32_t)(e);                                                                                            \
    }                                                                                                                  \
    return true;                                                                                                       \
  }                                                                                                                    \
  static bool some_##id(const struct sl_step_lanes *s, const struct sl_step *p)                                        \
  {                                                                                                                    \
    OPERANDS                                                                                                           \
    const SET on = (SET)s->active;                                                                                     \
    EACH_LANE                                                                                                          \
    {                                                                                                                  \
      const uint32_t a = ra[l], b = rb[l];                                                                             \
      (void)a, (void)b;                                                                                                \
      const uint32_t value = (uint32_t)(e);                                                                            \
      d[l] = (on >> l) & 1 ? value : d[l];                                                                             \
    }                                                                                                                  \
    return true;                                                                                                       \
  }
#include "isa/rows.h"

/* ---- addresses -------------------------------------------------------------------------------------------------- */

enum shape {
  SHAPE_ASK,    /* not known to be valid */
  SHAPE_SAME,   /* one unit for all active lanes */
  SHAPE_STREAM, /* lane l has the unit at lane 0's address + l * width; all are in memory */
  SHAPE_ANY     /* an address per lane */
};

struct places {
  enum shape shape;
  const struct sl_step_region *region;
  uint32_t first;  /* same: the address; stream: lane 0's, even if it is inactive; any: the lowest */
  uint32_t last;   /* any: the highest */
  unsigned lowest; /* lowest active lane */
};

static inline bool good(const struct sl_step_region *r, uint32_t address, unsigned width)
{
  return address - r->low < r->size && (address & (width - 1)) == 0;
}

/* Consecutive units from lane 0's on; those of inactive lanes are valid addresses, too. */
static inline void stream(const struct sl_step_lanes *s, struct places *at, uint32_t first, unsigned width,
                          unsigned lanes)
{
  const uint32_t before = at->lowest * width;
  at->first = first - before;
  at->last = at->first + (lanes - 1) * width;
  const bool there = at->region == &s->region[SL_STEP_MEMORY]
                         ? first >= before && at->last >= at->first
                         : good(at->region, at->first, width) && good(at->region, at->last, width);
  at->shape = there ? SHAPE_STREAM : SHAPE_ASK;
}

/* One address for all lanes. On interleaved stacks the same word of every lane is a stream in memory. */
static inline void same(const struct sl_step_lanes *s, struct places *at, uint32_t address, unsigned width)
{
  const struct sl_stack_map *m = &s->stack;
  const bool own = address >= m->virtual_base && width == 4 && (address & 3) == 0;
  const uint32_t word0 = m->physical_base | m->lane0 | (address - m->virtual_base) >> 2 << m->slot_shift;
  at->shape = good(at->region, address, width) ? SHAPE_SAME : own ? SHAPE_STREAM : SHAPE_ASK;
  at->first = own ? word0 : address;
  at->last = own ? word0 + (LANES - 1) * 4 : address;
}

/* The places of the addresses, if they are in a region. */
static inline __attribute__((always_inline)) struct places places_in(const struct sl_step_lanes *s,
                                                                     const struct sl_step_region *r, const uint32_t *a,
                                                                     uint32_t imm, unsigned width, bool all)
{
  const SET on = (SET)(all ? sl_low_bits(LANES) : s->active);
  struct places at = {.shape = SHAPE_ASK, .region = r, .lowest = all ? 0 : sl_lowest(on)};
  const uint32_t first = a[at.lowest] + imm, lane0 = first - at.lowest * width;
  uint32_t off = 0, differ = 0;
  EACH_LANE
  {
    const uint32_t v = a[l] + imm, keep = all || ((on >> l) & 1) ? UINT32_MAX : 0;
    off |= (v ^ (lane0 + l * width)) & keep;
    differ |= (v ^ first) & keep;
  }
  if (differ == 0) {
    same(s, &at, first, width);
    return at;
  }
  if (off == 0) {
    const uint32_t highest = all ? LANES - 1 : sl_highest(on);
    if (good(r, first, width) && good(r, lane0 + highest * width, width))
      stream(s, &at, first, width, LANES);
    return at;
  }
  uint32_t bits = 0, least = first, most = first;
  EACH_LANE
  {
    const uint32_t v = all || ((on >> l) & 1) ? a[l] + imm : first;
    bits |= v;
    least = v < least ? v : least;
    most = v > most ? v : most;
  }
  if (least - r->low < r->size && most - r->low < r->size && (bits & (width - 1)) == 0)
    at.shape = SHAPE_ANY;
  at.first = least;
  at.last = most;
  return at;
}

static __attribute__((noinline)) struct places local_places(const struct sl_step_lanes *s, const uint32_t *a,
                                                            uint32_t imm, unsigned width)
{
  return places_in(s, &s->region[SL_STEP_LOCAL], a, imm, width, false);
}

static inline __attribute__((always_inline)) struct places places(const struct sl_step_lanes *s, const uint32_t *a,
                                                                  uint32_t imm, unsigned width, bool all)
{
  const struct places at = places_in(s, &s->region[SL_STEP_MEMORY], a, imm, width, all);
  const bool elsewhere = at.shape == SHAPE_ASK && s->region[SL_STEP_LOCAL].size > 0;
  return __builtin_expect(elsewhere, 0) ? local_places(s, a, imm, width) : at;
}

/* The values of the active lanes; inactive lanes get that of one active lane, so no lane is a special case. */
static inline __attribute__((always_inline)) void spread(uint32_t *to, const uint32_t *from, uint32_t add, unsigned one,
                                                         SET on, bool all, unsigned lanes)
{
  const uint32_t other = from[one] + add;
  for (unsigned l = 0; l < lanes; l++)
    to[l] = all || ((on >> l) & 1) ? from[l] + add : other;
}

/* ---- loads ------------------------------------------------------------------------------------------------------ */

/* If untouched memory reads as a word other than 0, the pages do not hold that word yet. */
static inline bool page_written(const struct sl_step_lanes *s, uint32_t address)
{
  return s->memory->pages[address >> SL_PAGE_BITS] != NULL;
}

static inline bool written(const struct sl_step_lanes *s, const struct places *at)
{
  return at->shape == SHAPE_ANY || at->region != &s->region[SL_STEP_MEMORY] ||
         (page_written(s, at->first) && page_written(s, at->last));
}

static inline bool all_written(const struct sl_step_lanes *s, const struct places *at, const uint32_t *address)
{
  bool all = true;
  for (unsigned l = 0; at->region == &s->region[SL_STEP_MEMORY] && l < LANES; l++)
    all &= page_written(s, address[l]);
  return all;
}

#define UNIT_BYTES(match) (1u << ((match) >> 12 & 3))

#define ROW_LOAD(id, match, e)                                                                                         \
  static inline                                                                                                        \
      __attribute__((always_inline)) bool load_##id(const struct sl_step_lanes *s, const struct sl_step *p, bool all)  \
  {                                                                                                                    \
    enum { WIDTH = UNIT_BYTES(match) };                                                                                \
    uint32_t *d = s->x + p->d;                                                                                         \
    const uint32_t *a = s->x + p->a;                                                                                   \
    const uint32_t imm = p->imm;                                                                                       \
    const SET on = (SET)s->active;                                                                                     \
    const struct places at = places(s, a, imm, WIDTH, all);                                                            \
    const uint8_t *flat = at.region->bytes;                                                                            \
    if (__builtin_expect(s->filled, 0) && !written(s, &at))                                                            \
      return false;                                                                                                    \
    switch (at.shape) {                                                                                                \
    case SHAPE_ASK: return false;                                                                                      \
    case SHAPE_SAME: {                                                                                                 \
      const uint32_t m = sl_memory_unit(flat + at.first, WIDTH), value = e;                                            \
      EACH_LANE d[l] = all || ((on >> l) & 1) ? value : d[l];                                                          \
      return true;                                                                                                     \
    }                                                                                                                  \
    case SHAPE_STREAM:                                                                                                 \
      flat += at.first;                                                                                                \
      EACH_LANE                                                                                                        \
      {                                                                                                                \
        const uint32_t m = sl_memory_unit(flat + l * WIDTH, WIDTH), value = e;                                         \
        d[l] = all || ((on >> l) & 1) ? value : d[l];                                                                  \
      }                                                                                                                \
      return true;                                                                                                     \
    case SHAPE_ANY: break;                                                                                             \
    }                                                                                                                  \
    uint32_t address[SL_MAX_LANES], value[SL_MAX_LANES];                                                               \
    spread(address, a, imm, at.lowest, on, all, LANES);                                                                \
    if (__builtin_expect(s->filled, 0) && !all_written(s, &at, address))                                               \
      return false;                                                                                                    \
    for (unsigned l = 0; l < LANES; l++) {                                                                             \
      const uint32_t m = sl_memory_unit(flat + address[l], WIDTH);                                                     \
      value[l] = e;                                                                                                    \
    }                                                                                                                  \
    EACH_LANE d[l] = all || ((on >> l) & 1) ? value[l] : d[l];                                                         \
    return true;                                                                                                       \
  }                                                                                                                    \
  static bool all_##id(const struct sl_step_lanes *s, const struct sl_step *p)                                         \
  {                                                                                                                    \
    return load_##id(s, p, true);                                                                                      \
  }                                                                                                                    \
  static bool some_##id(const struct sl_step_lanes *s, const struct sl_step *p)                                        \
  {                                                                                                                    \
    return load_##id(s, p, false);                                                                                     \
  }
#include "isa/rows.h"

/* ---- stores ----------------------------------------------------------------------------------------------------- */

static inline bool in_scratchpad(const struct sl_step_lanes *s, uint32_t address)
{
  return address - s->scratchpad_base < s->scratchpad_bytes;
}

/* When lanes store to the same place in DRAM, one wins, so its store comes last. In the scratchpad the bank order
 * decides, which is unknown here; it is irrelevant if every lane then finds its own value. Otherwise the store is
 * repeated, which overwrites everything done here. */
static inline __attribute__((always_inline)) bool scatter(const struct sl_step_lanes *s, uint8_t *flat,
                                                          const uint32_t *address, const uint32_t *value,
                                                          unsigned width, bool shared)
{
  if (s->last_wins)
    for (unsigned l = 0; l < LANES; l++)
      sl_memory_put(flat + address[l], width, value[l]);
  else
    for (unsigned l = LANES; l-- > 0;)
      sl_memory_put(flat + address[l], width, value[l]);
  uint32_t lost = 0;
  for (unsigned l = 0; shared && l < LANES; l++)
    lost |= sl_memory_unit(flat + address[l], width) ^ value[l];
  return (lost & (uint32_t)sl_low_bits(8 * width)) == 0;
}

/* Allocates the pages of the places; for SHAPE_ANY, of each address. */
static inline void touch(const struct sl_step_lanes *s, const struct places *at, const uint32_t *address)
{
  if (at->region != &s->region[SL_STEP_MEMORY])
    return;
  sl_memory_at(s->memory, at->first);
  sl_memory_at(s->memory, at->last);
  if (at->shape != SHAPE_ANY || at->first >> SL_PAGE_BITS == at->last >> SL_PAGE_BITS)
    return;
  for (unsigned l = 0; l < LANES; l++)
    sl_memory_at(s->memory, address[l]);
}

typedef uint32_t __attribute__((may_alias)) word;

static inline __attribute__((always_inline)) void put_stream(uint8_t *to, const uint32_t *b, unsigned width, SET on,
                                                             bool all, unsigned lanes)
{
  word *words = (word *)(void *)to;
  if (all && width == 4) {
    memcpy(to, b, lanes * sizeof *b);
  } else if (width == 4) {
    for (unsigned l = 0; l < lanes; l++)
      if ((on >> l) & 1)
        words[l] = b[l];
  } else {
    for (unsigned l = 0; l < lanes; l++)
      if (all || ((on >> l) & 1))
        sl_memory_put(to + (size_t)l * width, width, b[l]);
  }
}

static inline __attribute__((always_inline)) bool store(const struct sl_step_lanes *s, const struct sl_step *p,
                                                        unsigned width, bool all)
{
  const uint32_t *a = s->x + p->a, *b = s->x + p->b;
  const SET on = (SET)s->active;
  const struct places at = places(s, a, p->imm, width, all);
  const bool shared = in_scratchpad(s, at.first);
  const unsigned winner = s->last_wins ? sl_highest(on) : at.lowest;
  if (sl_stored_code_meets(&s->memory->code, at.first, at.last))
    return false;
  switch (at.shape) {
  case SHAPE_ASK: return false;
  case SHAPE_SAME:
    if (shared)
      break;
    touch(s, &at, NULL);
    sl_memory_put(at.region->bytes + at.first, width, b[winner]);
    return true;
  case SHAPE_STREAM:
    touch(s, &at, NULL);
    put_stream(at.region->bytes + at.first, b, width, on, all, LANES);
    return true;
  case SHAPE_ANY: break;
  }
  if (shared != in_scratchpad(s, at.last))
    return false; /* partly in the scratchpad, partly in DRAM */
  uint32_t address[SL_MAX_LANES], value[SL_MAX_LANES];
  spread(address, a, p->imm, winner, on, all, LANES);
  spread(value, b, 0, winner, on, all, LANES);
  touch(s, &at, address);
  return scatter(s, at.region->bytes, address, value, width, shared);
}

#define ROW_STORE(id, match, e)                                                                                        \
  static bool all_##id(const struct sl_step_lanes *s, const struct sl_step *p)                                         \
  {                                                                                                                    \
    return store(s, p, UNIT_BYTES(match), true);                                                                       \
  }                                                                                                                    \
  static bool some_##id(const struct sl_step_lanes *s, const struct sl_step *p)                                        \
  {                                                                                                                    \
    return store(s, p, UNIT_BYTES(match), false);                                                                      \
  }
#include "isa/rows.h"

/* ---- atomics ---------------------------------------------------------------------------------------------------- */

/* An atomic on the scratchpad whose result is not used. Any lane order leaves the same memory, except for swaps. */
static inline __attribute__((always_inline)) bool atomic(const struct sl_step_lanes *s, const struct sl_step *p,
                                                         unsigned op)
{
  const uint32_t *a = s->x + p->a, *b = s->x + p->b;
  uint32_t bad = 0;
  for (sl_lanes rest = s->active; rest; rest &= rest - 1) {
    const uint32_t v = a[sl_lowest(rest)] + p->imm;
    bad |= (v & 3) | !in_scratchpad(s, v);
  }
  if (bad)
    return false;
  for (sl_lanes rest = s->active; rest; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    uint8_t *unit = sl_memory_at(s->memory, a[l] + p->imm);
    sl_memory_put(unit, 4, sl_unit_combine(op, sl_memory_unit(unit, 4), b[l]));
  }
  return true;
}

#define ROW_AMO(id, match, e)                                                                                          \
  static bool some_##id(const struct sl_step_lanes *s, const struct sl_step *p)                                        \
  {                                                                                                                    \
    return SL_OP_##id != SL_OP_AMOSWAP && atomic(s, p, SL_OP_##id);                                                    \
  }
#include "isa/rows.h"

/* clang-format off */
const struct sl_step_ops JOIN3(sl_step_ops, SL_LEVEL, SL_STEP_LANES) = {
  .all = {
#define ROW_VALUE(id, match, e) [SL_OP_##id] = all_##id,
#define ROW_LOAD(id, match, e) [SL_OP_##id] = all_##id,
#define ROW_STORE(id, match, e) [SL_OP_##id] = all_##id,
#define ROW_AMO(id, match, e) [SL_OP_##id] = some_##id,
#include "isa/rows.h"
  },
  .some = {
#define ROW_VALUE(id, match, e) [SL_OP_##id] = some_##id,
#define ROW_LOAD(id, match, e) [SL_OP_##id] = some_##id,
#define ROW_STORE(id, match, e) [SL_OP_##id] = some_##id,
#define ROW_AMO(id, match, e) [SL_OP_##id] = some_##id,
#include "isa/rows.h"
  }};
/* clang-format on */
