/* Built once per x86-64 level (SL_LEVEL names it). The loops are plain C for the compiler to vectorise. */
#include "isa/lanes.h"

#include <string.h>
#ifdef __AVX512CD__
#include <immintrin.h>
#endif

#include "isa/lane_words.h"
#include "isa/semantics.h"

#define S(x) ((int32_t)(x))
#define JOIN3_(a, b, c) a##_##b##_##c
#define JOIN3(a, b, c) JOIN3_(a, b, c)

#if defined(__clang__)
#define EACH_LANE(n) _Pragma("clang loop vectorize(assume_safety)") for (unsigned l = 0; l < (n); l++)
#else
#define EACH_LANE(n) _Pragma("GCC ivdep") for (unsigned l = 0; l < (n); l++)
#endif

/* Computes rd on the active lanes. The common case of all lanes needs no blending. */
#define VALUE_FUNCTION(name, n, set_t, expression)                                                                     \
  static sl_lanes name(uint32_t *x, const struct sl_insn *in, sl_lanes active, uint32_t pc, unsigned lanes)            \
  {                                                                                                                    \
    (void)lanes, (void)pc;                                                                                             \
    uint32_t *d = x + in->rd * (n);                                                                                    \
    const uint32_t *ra = x + in->rs1 * (n), *rb = x + in->rs2 * (n);                                                   \
    const uint32_t imm = in->imm;                                                                                      \
    (void)imm;                                                                                                         \
    if (active == sl_low_bits(n)) {                                                                                    \
      EACH_LANE(n)                                                                                                     \
      {                                                                                                                \
        const uint32_t a = ra[l], b = rb[l];                                                                           \
        (void)a, (void)b;                                                                                              \
        d[l] = (uint32_t)(expression);                                                                                 \
      }                                                                                                                \
    } else {                                                                                                           \
      const set_t on = (set_t)active;                                                                                  \
      EACH_LANE(n)                                                                                                     \
      {                                                                                                                \
        const uint32_t a = ra[l], b = rb[l];                                                                           \
        (void)a, (void)b;                                                                                              \
        const uint32_t value = (uint32_t)(expression);                                                                 \
        d[l] = (on >> l) & 1 ? value : d[l];                                                                           \
      }                                                                                                                \
    }                                                                                                                  \
    return 0;                                                                                                          \
  }

/* Returns the active lanes for which a condition over rs1 and rs2 holds. */
#define CONDITION_FUNCTION(name, n, set_t, expression)                                                                 \
  static sl_lanes name(uint32_t *x, const struct sl_insn *in, sl_lanes active, uint32_t pc, unsigned lanes)            \
  {                                                                                                                    \
    (void)lanes, (void)pc;                                                                                             \
    const uint32_t *ra = x + in->rs1 * (n), *rb = x + in->rs2 * (n);                                                   \
    set_t taken = 0;                                                                                                   \
    for (unsigned l = 0; l < (n); l++) {                                                                               \
      const uint32_t a = ra[l], b = rb[l];                                                                             \
      taken |= (set_t)((set_t)(expression) << l);                                                                      \
    }                                                                                                                  \
    return taken & active;                                                                                             \
  }

/* The same in vectors; S is redefined for them. */
#if SL_WORDS
#define CONDITION_OF_WORDS(name, n, set_t, expression)                                                                 \
  static sl_lanes name(uint32_t *x, const struct sl_insn *in, sl_lanes active, uint32_t pc, unsigned lanes)            \
  {                                                                                                                    \
    (void)lanes, (void)pc;                                                                                             \
    const uint32_t *ra = x + in->rs1 * (n), *rb = x + in->rs2 * (n);                                                   \
    set_t taken = 0;                                                                                                   \
    for (unsigned l = 0; l < (n); l += SL_WORDS) {                                                                     \
      const sl_words a = sl_words_at(ra + l), b = sl_words_at(rb + l);                                                 \
      taken |= (set_t)((set_t)sl_words_set(expression) << l);                                                          \
    }                                                                                                                  \
    return taken & active;                                                                                             \
  }
#else
#define CONDITION_OF_WORDS CONDITION_FUNCTION
#endif

/* Picks words of a window by number; with AVX-512 two registers hold the window. */
#define PICK_EACH(n)                                                                                                   \
  (void)lanes;                                                                                                         \
  for (unsigned l = 0; l < (n); l++)                                                                                   \
    memcpy(&d[l], bytes + 4 * (size_t)index[l], 4);

#ifdef __AVX512CD__

#define PICK(n)                                                                                                        \
  if ((n) % 16 == 0) {                                                                                                 \
    const __m512i low = _mm512_loadu_si512(bytes), high = _mm512_loadu_si512(bytes + 64);                              \
    for (unsigned l = 0; l < (n); l += 16)                                                                             \
      _mm512_storeu_si512(d + l, _mm512_permutex2var_epi32(low, _mm512_loadu_si512(index + l), high));                 \
    return;                                                                                                            \
  }                                                                                                                    \
  PICK_EACH(n)

/* In each pass, a bank takes the lane of the lowest-numbered stream that offers one for it. */
static unsigned bank_passes(const uint32_t *address, sl_lanes lanes, unsigned banks, uint8_t order[SL_MAX_LANES])
{
  const __m512i mask = _mm512_set1_epi32((int)banks - 1),
                numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i first = _mm512_and_si512(_mm512_srli_epi32(_mm512_loadu_si512(address), 2), mask);
  const __m512i second = _mm512_and_si512(_mm512_srli_epi32(_mm512_loadu_si512(address + banks), 2), mask);
  const unsigned streams = (unsigned)sl_low_bits(banks);
  unsigned low = (unsigned)lanes & streams, high = (unsigned)(lanes >> banks) & streams, passes = 0, served = 0;
  for (; low | high; passes++) {
    const unsigned offered = low | high;
    const __m512i bank = _mm512_mask_blend_epi32((__mmask16)low, second, first);
    const __m512i lane =
        _mm512_mask_blend_epi32((__mmask16)low, _mm512_add_epi32(numbers, _mm512_set1_epi32((int)banks)), numbers);
    const unsigned lose =
        _mm512_mask_test_epi32_mask((__mmask16)offered, _mm512_conflict_epi32(bank), _mm512_set1_epi32((int)offered));
    const unsigned win = offered & ~lose;
    _mm_storeu_si128((__m128i *)(void *)(order + served),
                     _mm512_cvtepi32_epi8(_mm512_maskz_compress_epi32((__mmask16)win, lane)));
    served += sl_count(win);
    high &= ~(win & ~low);
    low &= ~win;
  }
  return passes;
}

#define BANK_PASSES bank_passes

#else

#define PICK(n) PICK_EACH(n)
#define BANK_PASSES NULL

#endif

#define MOVE_FUNCTIONS(suffix, n)                                                                                      \
  static void pick_##suffix(uint32_t *restrict d, const uint8_t *restrict bytes, const uint32_t *restrict index,       \
                            unsigned lanes)                                                                            \
  {                                                                                                                    \
    PICK(n)                                                                                                            \
  }                                                                                                                    \
  static void fill_##suffix(uint32_t *d, uint32_t base, uint32_t stride, unsigned lanes)                               \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    EACH_LANE(n)                                                                                                       \
    d[l] = base + (uint32_t)l * stride;                                                                                \
  }

/* As sl_lane_ops.shape, lane by lane. */
#define SHAPE_FUNCTION(suffix, n)                                                                                      \
  static enum sl_shape shape_##suffix(const uint32_t *base, uint32_t imm, uint32_t *address, unsigned lanes)           \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    const uint32_t first = base[0] + imm;                                                                              \
    uint32_t other = 0, apart = 0;                                                                                     \
    EACH_LANE(n)                                                                                                       \
    {                                                                                                                  \
      const uint32_t a = base[l] + imm;                                                                                \
      address[l] = a;                                                                                                  \
      other |= a ^ first;                                                                                              \
      apart |= a ^ (first + (uint32_t)l * 4);                                                                          \
    }                                                                                                                  \
    return other == 0 ? SL_SHAPE_SAME : apart == 0 ? SL_SHAPE_ROW : SL_SHAPE_OTHER;                                    \
  }

#define MEMORY_FUNCTIONS(suffix, n, set_t)                                                                             \
  /* Maps stack addresses to memory; returns whether some address is in the gap. */                                    \
  static bool interleave_##suffix(uint32_t *address, const struct sl_stack_map *map, unsigned lanes)                   \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    const uint32_t stacks = map->virtual_base, memory = map->physical_base | map->lane0;                               \
    const uint32_t gap = map->gap_bytes, gap_base = stacks - gap;                                                      \
    const unsigned slot = map->slot_shift;                                                                             \
    uint32_t stray = 0;                                                                                                \
    EACH_LANE(n)                                                                                                       \
    {                                                                                                                  \
      const uint32_t v = address[l];                                                                                   \
      const uint32_t p = memory | ((v - stacks) >> 2) << slot | (uint32_t)(l << 2) | (v & 3);                          \
      address[l] = v >= stacks ? p : v;                                                                                \
      stray |= v - gap_base < gap;                                                                                     \
    }                                                                                                                  \
    return stray;                                                                                                      \
  }                                                                                                                    \
  /* All lanes active, one address or consecutive units, none on a stack: the shape determines the rest. */            \
  static bool addresses_regular_##suffix(const uint32_t *base, const struct sl_insn *in,                               \
                                         const struct sl_stack_map *map, uint32_t *address,                            \
                                         struct sl_addresses *summary, unsigned lanes)                                 \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    const uint32_t imm = in->imm, width = in->width, first = base[0] + imm;                                            \
    uint32_t off_same = 0, off_stride = 0;                                                                             \
    EACH_LANE(n)                                                                                                       \
    {                                                                                                                  \
      const uint32_t v = base[l] + imm;                                                                                \
      address[l] = v;                                                                                                  \
      off_same |= v ^ first;                                                                                           \
      off_stride |= v ^ (first + (uint32_t)l * width);                                                                 \
    }                                                                                                                  \
    const uint32_t last = off_same == 0 ? first : first + ((n)-1) * width;                                             \
    if ((off_same != 0 && off_stride != 0) || last < first || last >= map->virtual_base - map->gap_bytes)              \
      return false;                                                                                                    \
    *summary = (struct sl_addresses){.low = first,                                                                     \
                                     .high = last,                                                                     \
                                     .first = first,                                                                   \
                                     .misaligned = (first & (width - 1)) != 0,                                         \
                                     .consecutive = off_stride == 0};                                                  \
    return true;                                                                                                       \
  }                                                                                                                    \
  static void addresses_##suffix(const uint32_t *base, const struct sl_insn *in, sl_lanes active,                      \
                                 const struct sl_stack_map *map, uint32_t *address, struct sl_addresses *summary,      \
                                 unsigned lanes)                                                                       \
  {                                                                                                                    \
    if (active == sl_low_bits(n) && addresses_regular_##suffix(base, in, map, address, summary, lanes))                \
      return;                                                                                                          \
    const set_t on = (set_t)active;                                                                                    \
    const unsigned lowest = sl_lowest(active);                                                                         \
    const uint32_t imm = in->imm, width = in->width;                                                                   \
    const uint32_t any = base[lowest] + imm;                                                                           \
    uint32_t top = 0;                                                                                                  \
    EACH_LANE(n)                                                                                                       \
    {                                                                                                                  \
      const uint32_t v = (on >> l) & 1 ? base[l] + imm : any;                                                          \
      address[l] = v;                                                                                                  \
      top = v > top ? v : top;                                                                                         \
    }                                                                                                                  \
    const bool stray = top >= map->virtual_base - map->gap_bytes && interleave_##suffix(address, map, lanes);          \
    const uint32_t first = address[lowest], lane0 = first - lowest * width;                                            \
    uint32_t low = first, high = first, bits = 0, off_stride = 0;                                                      \
    EACH_LANE(n)                                                                                                       \
    {                                                                                                                  \
      const uint32_t a = (on >> l) & 1 ? address[l] : first;                                                           \
      const uint32_t off = (on >> l) & 1 ? a ^ (lane0 + (uint32_t)l * width) : 0;                                      \
      address[l] = a;                                                                                                  \
      bits |= a;                                                                                                       \
      low = a < low ? a : low;                                                                                         \
      high = a > high ? a : high;                                                                                      \
      off_stride |= off;                                                                                               \
    }                                                                                                                  \
    *summary = (struct sl_addresses){.low = low,                                                                       \
                                     .high = high,                                                                     \
                                     .first = first,                                                                   \
                                     .misaligned = (bits & (width - 1)) != 0,                                          \
                                     .stray = stray,                                                                   \
                                     .consecutive = off_stride == 0};                                                  \
  }                                                                                                                    \
  static sl_lanes equal_##suffix(const uint32_t *address, uint32_t value, unsigned lanes)                              \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    set_t set = 0;                                                                                                     \
    for (unsigned l = 0; l < (n); l++)                                                                                 \
      set |= (set_t)((set_t)(address[l] == value) << l);                                                               \
    return set;                                                                                                        \
  }                                                                                                                    \
  static sl_lanes within_##suffix(const uint32_t *address, uint32_t low, uint32_t size, unsigned lanes)                \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    set_t set = 0;                                                                                                     \
    for (unsigned l = 0; l < (n); l++)                                                                                 \
      set |= (set_t)((set_t)(address[l] - low < size) << l);                                                           \
    return set;                                                                                                        \
  }                                                                                                                    \
  static sl_lanes strided_##suffix(const uint32_t *address, uint32_t base, uint32_t stride, unsigned lanes)            \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    set_t set = 0;                                                                                                     \
    for (unsigned l = 0; l < (n); l++)                                                                                 \
      set |= (set_t)((set_t)(address[l] == base + l * stride) << l);                                                   \
    return set;                                                                                                        \
  }                                                                                                                    \
  static bool offsets_##suffix(const uint32_t *base, uint32_t imm, sl_lanes active, const uint32_t *offset,            \
                               uint32_t *address, unsigned lanes)                                                      \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    const set_t on = (set_t)active;                                                                                    \
    const uint32_t first = base[sl_lowest(active)] + imm;                                                              \
    uint32_t differ = 0;                                                                                               \
    if (active == sl_low_bits(n)) {                                                                                    \
      EACH_LANE(n)                                                                                                     \
      {                                                                                                                \
        const uint32_t v = base[l] + imm;                                                                              \
        address[l] = v;                                                                                                \
        differ |= (v - first) ^ offset[l];                                                                             \
      }                                                                                                                \
    } else {                                                                                                           \
      EACH_LANE(n)                                                                                                     \
      {                                                                                                                \
        const uint32_t v = (on >> l) & 1 ? base[l] + imm : first;                                                      \
        address[l] = v;                                                                                                \
        differ |= (v - first) ^ offset[l];                                                                             \
      }                                                                                                                \
    }                                                                                                                  \
    return differ == 0;                                                                                                \
  }                                                                                                                    \
  static void broadcast_##suffix(uint32_t *d, uint32_t value, sl_lanes active, unsigned lanes)                         \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    const set_t on = (set_t)active;                                                                                    \
    EACH_LANE(n)                                                                                                       \
    d[l] = (on >> l) & 1 ? value : d[l];                                                                               \
  }                                                                                                                    \
  SHAPE_FUNCTION(suffix, n)                                                                                            \
  MOVE_FUNCTIONS(suffix, n)

/* ---- functions over addresses, in vectors; n is a constant at the call ------------------------------------------ */

#if SL_WORDS

/* As addresses_regular below. */
SL_WORDS_BODY bool words_regular(const uint32_t *base, const struct sl_insn *in, const struct sl_stack_map *map,
                                 uint32_t *address, struct sl_addresses *summary, const unsigned n)
{
  const uint32_t imm = in->imm, width = in->width, first = base[0] + imm;
  const sl_words steps = sl_words_numbers() * width;
  sl_words other = {0}, apart = {0};
  for (unsigned l = 0; l < n; l += SL_WORDS) {
    const sl_words v = sl_words_at(base + l) + imm;
    sl_words_put(address + l, v);
    other |= v ^ first;
    apart |= v ^ (steps + (first + l * width));
  }
  const bool same = !sl_words_any(other), consecutive = !sl_words_any(apart);
  const uint32_t last = same ? first : first + (n - 1) * width;
  if (!(same || consecutive) || last < first || last >= map->virtual_base - map->gap_bytes)
    return false;
  *summary = (struct sl_addresses){
      .low = first, .high = last, .first = first, .misaligned = (first & (width - 1)) != 0, .consecutive = consecutive};
  return true;
}

SL_WORDS_BODY enum sl_shape words_shape(const uint32_t *base, uint32_t imm, uint32_t *address, const unsigned n)
{
  const uint32_t first = base[0] + imm;
  const sl_words row = sl_words_numbers() * 4 + first;
  sl_words other = {0}, apart = {0};
  for (unsigned l = 0; l < n; l += SL_WORDS) {
    const sl_words v = sl_words_at(base + l) + imm;
    sl_words_put(address + l, v);
    other |= v ^ first;
    apart |= v ^ (row + l * 4);
  }
  return !sl_words_any(other) ? SL_SHAPE_SAME : !sl_words_any(apart) ? SL_SHAPE_ROW : SL_SHAPE_OTHER;
}

SL_WORDS_BODY bool words_interleave(uint32_t *address, const struct sl_stack_map *map, const unsigned n)
{
  const uint32_t stacks = map->virtual_base, memory = map->physical_base | map->lane0, gap = map->gap_bytes;
  sl_words stray = {0};
  for (unsigned l = 0; l < n; l += SL_WORDS) {
    const sl_words v = sl_words_at(address + l), word = (v - stacks) >> 2 << map->slot_shift;
    const sl_words own = word | memory | (sl_words_numbers() + l) << 2 | (v & 3);
    sl_words_put(address + l, sl_words_choose(v >= stacks, own, v));
    stray |= (sl_words)(v - (stacks - gap) < gap);
  }
  return sl_words_any(stray);
}

/* Least and greatest address of the active lanes; the others get `first`. */
SL_WORDS_BODY void words_extent(uint32_t *address, sl_lanes active, uint32_t *least, uint32_t *greatest, uint32_t first,
                                const unsigned n)
{
  sl_words low = (sl_words){0} + first, high = low;
  for (unsigned l = 0; l < n; l += SL_WORDS) {
    const sl_flags on = sl_words_flags((uint32_t)(active >> l));
    const sl_words a = sl_words_choose(on, sl_words_at(address + l), (sl_words){0} + first);
    sl_words_put(address + l, a);
    low = sl_words_lesser(low, a);
    high = sl_words_greater(high, a);
  }
  *least = sl_words_least(low);
  *greatest = sl_words_greatest(high);
}

SL_WORDS_BODY void words_addresses(const uint32_t *base, const struct sl_insn *in, sl_lanes active,
                                   const struct sl_stack_map *map, uint32_t *address, struct sl_addresses *summary,
                                   const unsigned n)
{
  if (active == sl_low_bits(n) && words_regular(base, in, map, address, summary, n))
    return;
  const unsigned lowest = sl_lowest(active);
  const uint32_t imm = in->imm, width = in->width, any = base[lowest] + imm;
  sl_words low = (sl_words){0} + any, high = low;
  for (unsigned l = 0; l < n; l += SL_WORDS) {
    const sl_flags on = sl_words_flags((uint32_t)(active >> l));
    const sl_words v = sl_words_choose(on, sl_words_at(base + l) + imm, (sl_words){0} + any);
    sl_words_put(address + l, v);
    low = sl_words_lesser(low, v);
    high = sl_words_greater(high, v);
  }
  uint32_t least = sl_words_least(low), greatest = sl_words_greatest(high), first = any;
  bool stray = false;
  if (greatest >= map->virtual_base - map->gap_bytes) {
    stray = words_interleave(address, map, n);
    first = address[lowest];
    words_extent(address, active, &least, &greatest, first, n);
  }
  sl_words bits = {0}, apart = {0};
  const sl_words steps = sl_words_numbers() * width + (first - lowest * width);
  for (unsigned l = 0; l < n; l += SL_WORDS) {
    const sl_words a = sl_words_at(address + l);
    bits |= a;
    apart |= (a ^ (steps + l * width)) & (sl_words)sl_words_flags((uint32_t)(active >> l));
  }
  *summary = (struct sl_addresses){.low = least,
                                   .high = greatest,
                                   .first = first,
                                   .misaligned = sl_words_any(bits & (width - 1)),
                                   .stray = stray,
                                   .consecutive = !sl_words_any(apart)};
}

SL_WORDS_BODY uint32_t words_strided(const uint32_t *address, uint32_t base, uint32_t stride, const unsigned n)
{
  const sl_words steps = sl_words_numbers() * stride;
  uint32_t set = 0;
  for (unsigned l = 0; l < n; l += SL_WORDS)
    set |= sl_words_set(sl_words_at(address + l) == steps + (base + l * stride)) << l;
  return set;
}

SL_WORDS_BODY uint32_t words_within(const uint32_t *address, uint32_t low, uint32_t size, const unsigned n)
{
  uint32_t set = 0;
  for (unsigned l = 0; l < n; l += SL_WORDS)
    set |= sl_words_set(sl_words_at(address + l) - low < size) << l;
  return set;
}

SL_WORDS_BODY bool words_offsets(const uint32_t *base, uint32_t imm, sl_lanes active, const uint32_t *offset,
                                 uint32_t *address, const unsigned n)
{
  const uint32_t first = base[sl_lowest(active)] + imm;
  const bool all = active == sl_low_bits(n);
  sl_words differ = {0};
  for (unsigned l = 0; l < n; l += SL_WORDS) {
    const sl_words every = sl_words_at(base + l) + imm;
    const sl_words v =
        all ? every : sl_words_choose(sl_words_flags((uint32_t)(active >> l)), every, (sl_words){0} + first);
    sl_words_put(address + l, v);
    differ |= (v - first) ^ sl_words_at(offset + l);
  }
  return !sl_words_any(differ);
}

SL_WORDS_BODY void words_broadcast(uint32_t *d, uint32_t value, sl_lanes active, const unsigned n)
{
  const bool all = active == sl_low_bits(n);
  const sl_words v = (sl_words){0} + value;
  for (unsigned l = 0; l < n; l += SL_WORDS)
    sl_words_put(d + l, all ? v : sl_words_choose(sl_words_flags((uint32_t)(active >> l)), v, sl_words_at(d + l)));
}

#define FUNCTIONS_OF_WORDS(n)                                                                                          \
  static void addresses_##n(const uint32_t *base, const struct sl_insn *in, sl_lanes active,                           \
                            const struct sl_stack_map *map, uint32_t *address, struct sl_addresses *summary,           \
                            unsigned lanes)                                                                            \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    words_addresses(base, in, active, map, address, summary, n);                                                       \
  }                                                                                                                    \
  static enum sl_shape shape_##n(const uint32_t *base, uint32_t imm, uint32_t *address, unsigned lanes)                \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    return words_shape(base, imm, address, n);                                                                         \
  }                                                                                                                    \
  static sl_lanes equal_##n(const uint32_t *address, uint32_t value, unsigned lanes)                                   \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    return words_strided(address, value, 0, n);                                                                        \
  }                                                                                                                    \
  static sl_lanes within_##n(const uint32_t *address, uint32_t low, uint32_t size, unsigned lanes)                     \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    return words_within(address, low, size, n);                                                                        \
  }                                                                                                                    \
  static sl_lanes strided_##n(const uint32_t *address, uint32_t base, uint32_t stride, unsigned lanes)                 \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    return words_strided(address, base, stride, n);                                                                    \
  }                                                                                                                    \
  static bool offsets_##n(const uint32_t *base, uint32_t imm, sl_lanes active, const uint32_t *offset,                 \
                          uint32_t *address, unsigned lanes)                                                           \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    return words_offsets(base, imm, active, offset, address, n);                                                       \
  }                                                                                                                    \
  static void broadcast_##n(uint32_t *d, uint32_t value, sl_lanes active, unsigned lanes)                              \
  {                                                                                                                    \
    (void)lanes;                                                                                                       \
    words_broadcast(d, value, active, n);                                                                              \
  }                                                                                                                    \
  MOVE_FUNCTIONS(n, n##u)
#else
#define FUNCTIONS_OF_WORDS(n) MEMORY_FUNCTIONS(n, n##u, uint32_t)
#endif

#define TABLE_FUNCTIONS(suffix)                                                                                        \
  .addresses = addresses_##suffix, .shape = shape_##suffix, .equal = equal_##suffix, .within = within_##suffix,        \
  .strided = strided_##suffix, .offsets = offsets_##suffix, .pick = pick_##suffix, .bank_passes = BANK_PASSES,         \
  .broadcast = broadcast_##suffix, .fill = fill_##suffix

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

/* Lane counts 16 and 32 as constants, others by the parameter; and a single value. The engines execute the kinds that
 * are not listed. */
#define ROW_VALUE(id, match, e) VALUE_FUNCTION(exec1_##id, 1u, uint32_t, e)
#define ROW_BRANCH(id, match, e) CONDITION_FUNCTION(exec1_##id, 1u, uint32_t, e)
#include "isa/rows.h"
MEMORY_FUNCTIONS(1, 1u, uint32_t)

#define ROW_VALUE(id, match, e) VALUE_FUNCTION(exec16_##id, 16u, uint32_t, e)
#include "isa/rows.h"
FUNCTIONS_OF_WORDS(16)

#define ROW_VALUE(id, match, e) VALUE_FUNCTION(exec32_##id, 32u, uint32_t, e)
#include "isa/rows.h"
FUNCTIONS_OF_WORDS(32)

#define ROW_VALUE(id, match, e) VALUE_FUNCTION(execn_##id, lanes, uint64_t, e)
#define ROW_BRANCH(id, match, e) CONDITION_FUNCTION(execn_##id, lanes, uint64_t, e)
#include "isa/rows.h"
MEMORY_FUNCTIONS(n, lanes, uint64_t)

#if SL_WORDS
#undef S
#define S(x) ((sl_flags)(x))
#endif
#define ROW_BRANCH(id, match, e) CONDITION_OF_WORDS(exec16_##id, 16u, uint32_t, e)
#include "isa/rows.h"
#define ROW_BRANCH(id, match, e) CONDITION_OF_WORDS(exec32_##id, 32u, uint32_t, e)
#include "isa/rows.h"

/* clang-format off */
const struct sl_lane_ops JOIN3(sl_lane_ops, SL_LEVEL, 1) = {
  .level = TEXT(SL_LEVEL),
  .one = &JOIN3(sl_lane_ops, SL_LEVEL, 1),
  .execute = {
#define ROW_VALUE(id, match, e) [SL_OP_##id] = exec1_##id,
#define ROW_BRANCH(id, match, e) [SL_OP_##id] = exec1_##id,
#include "isa/rows.h"
  },
  TABLE_FUNCTIONS(1)};

const struct sl_lane_ops JOIN3(sl_lane_ops, SL_LEVEL, 16) = {
  .level = TEXT(SL_LEVEL),
  .one = &JOIN3(sl_lane_ops, SL_LEVEL, 1),
  .execute = {
#define ROW_VALUE(id, match, e) [SL_OP_##id] = exec16_##id,
#define ROW_BRANCH(id, match, e) [SL_OP_##id] = exec16_##id,
#include "isa/rows.h"
  },
  TABLE_FUNCTIONS(16)};

const struct sl_lane_ops JOIN3(sl_lane_ops, SL_LEVEL, 32) = {
  .level = TEXT(SL_LEVEL),
  .one = &JOIN3(sl_lane_ops, SL_LEVEL, 1),
  .execute = {
#define ROW_VALUE(id, match, e) [SL_OP_##id] = exec32_##id,
#define ROW_BRANCH(id, match, e) [SL_OP_##id] = exec32_##id,
#include "isa/rows.h"
  },
  TABLE_FUNCTIONS(32)};

const struct sl_lane_ops JOIN3(sl_lane_ops, SL_LEVEL, n) = {
  .level = TEXT(SL_LEVEL),
  .one = &JOIN3(sl_lane_ops, SL_LEVEL, 1),
  .execute = {
#define ROW_VALUE(id, match, e) [SL_OP_##id] = execn_##id,
#define ROW_BRANCH(id, match, e) [SL_OP_##id] = execn_##id,
#include "isa/rows.h"
  },
  TABLE_FUNCTIONS(n)};
/* clang-format on */
