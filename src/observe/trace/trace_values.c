#include "observe/trace/trace_values.h"

#include "isa/host_level.h"
#include "isa/lanes.h"

enum { NONE, UNIFORM, AFFINE, GENERAL };
enum { OTHER_MASK = 1 << 4, ROWS = 5, MOST_ROWS = 7 };
enum { AGAIN = 0, GROUP = 8 /* lanes */ };

#define SPECIALISED static inline __attribute__((always_inline))

/* Values of the active lanes, one after another: differences to the first one, as zigzag. */
struct values {
  unsigned shape, count;
  uint64_t first, step;
  uint64_t bits;                         /* that any difference has */
  uint32_t narrow[SL_MAX_LANES + GROUP]; /* if these are at most 32; then zeros up to a multiple of GROUP */
  uint64_t wide[SL_MAX_LANES];
};

/* Whether the active lanes are the first ones. */
static bool are_first(sl_lanes active)
{
  return (active & (active + 1)) == 0;
}

/* The loops have no branches, so that they become vector operations. `count` is that of the values, or for usual ones
 * a constant. */
SPECIALISED void find_some(struct values *v, const uint32_t *from, const unsigned count)
{
  const uint32_t first = from[0], step = count > 1 ? from[1] - first : 0;
  uint32_t bits = 0, bends = 0;
  for (unsigned i = 1; i < count; i++)
    bends |= (from[i] - from[i - 1]) ^ step;
  const int64_t last = (int64_t)first + (int64_t)(int32_t)step * (int64_t)(count - 1);
  const bool is_affine = bends == 0 && last >= 0 && last <= UINT32_MAX; /* else it is so modulo 2^32 only */
  v->shape = is_affine && step == 0 ? UNIFORM : is_affine ? AFFINE : GENERAL;
  v->first = first;
  v->step = (uint64_t)(int64_t)(int32_t)step;
  v->bits = 0;
  if (is_affine)
    return;
  for (unsigned i = 0; i < count; i++) {
    const uint32_t difference = from[i] - first;
    v->narrow[i] = difference << 1 ^ (uint32_t)((int32_t)difference >> 31);
    bits |= v->narrow[i];
  }
  v->bits = bits;
}

SPECIALISED void find_narrow(struct values *v, const uint32_t *from)
{
  switch (v->count) {
  case 32: find_some(v, from, 32); break;
  case 16: find_some(v, from, 16); break;
  default: find_some(v, from, v->count); break;
  }
}

SPECIALISED void find_wide(struct values *v, const uint64_t *from)
{
  const uint64_t first = from[0], step = v->count > 1 ? from[1] - first : 0;
  uint64_t bits = 0, bends = 0;
  for (unsigned i = 1; i < v->count; i++)
    bends |= (from[i] - from[i - 1]) ^ step;
  v->shape = bends != 0 ? GENERAL : step == 0 ? UNIFORM : AFFINE;
  v->first = first;
  v->step = step;
  v->bits = 0;
  if (bends == 0)
    return;
  for (unsigned i = 0; i < v->count; i++) {
    const uint64_t difference = from[i] - first;
    v->wide[i] = difference << 1 ^ (0 - (difference >> 63));
    v->narrow[i] = (uint32_t)v->wide[i];
    bits |= v->wide[i];
  }
  v->bits = bits;
}

SPECIALISED void find(struct values *v, struct sl_trace_values from, sl_lanes active)
{
  uint32_t narrow[SL_MAX_LANES];
  uint64_t wide[SL_MAX_LANES];
  const bool is_narrow = from.narrow != NULL;
  v->count = sl_count(active);
  if (!are_first(active)) {
    unsigned n = 0;
    for (sl_lanes rest = active; rest != 0; rest &= rest - 1, n++)
      if (is_narrow)
        narrow[n] = from.narrow[sl_lowest(rest)];
      else
        wide[n] = from.wide[sl_lowest(rest)];
    from = (struct sl_trace_values){.narrow = is_narrow ? narrow : NULL, .wide = wide};
  }
  if (is_narrow)
    find_narrow(v, from.narrow);
  else
    find_wide(v, from.wide);
}

/* Bits of a difference, such that 8, 4 or 2 of them are bytes: as many as it needs up to 8; an even number up to 16; a
 * multiple of 4 up to 32; or 64. */
static unsigned width_of(uint64_t bits)
{
  const unsigned least = 64 - (unsigned)__builtin_clzll(bits);
  return least <= 8 ? least : least <= 16 ? (least + 1) & ~1u : least <= 32 ? (least + 3) & ~3u : 64;
}

/* Joins pairs of numbers of `bits` bits each. */
SPECIALISED void join_pairs(uint64_t *to, const uint64_t *from, unsigned count, unsigned bits)
{
  for (unsigned i = 0; i < count; i++)
    to[i] = from[2 * i] | from[2 * i + 1] << bits;
}

/* Differences of up to 32 bits, without bits between them. */
SPECIALISED void put_some(struct sl_piece *piece, const struct values *v, unsigned width, const unsigned count)
{
  enum { PAIRS = SL_MAX_LANES / 2 + GROUP };
  uint64_t two[PAIRS], four[PAIRS / 2], eight[PAIRS / 4];
  uint8_t *bytes = piece->bytes + piece->count;
  const unsigned groups = (count + GROUP - 1) / GROUP;
  for (unsigned i = 0; i < GROUP / 2 * groups; i++)
    two[i] = v->narrow[2 * i] | (uint64_t)v->narrow[2 * i + 1] << width;
  if (width > 16) {
    for (unsigned i = 0; i < GROUP / 2 * groups; i++, bytes += width / 4)
      memcpy(bytes, &two[i], sizeof two[i]);
    return;
  }
  join_pairs(four, two, GROUP / 4 * groups, 2 * width);
  if (width > 8) {
    for (unsigned i = 0; i < GROUP / 4 * groups; i++, bytes += width / 2)
      memcpy(bytes, &four[i], sizeof four[i]);
    return;
  }
  join_pairs(eight, four, groups, 4 * width);
  for (unsigned i = 0; i < groups; i++, bytes += width)
    memcpy(bytes, &eight[i], sizeof eight[i]);
}

SPECIALISED void put_bits(struct sl_piece *piece, struct values *v, unsigned width)
{
  for (unsigned i = v->count; i % GROUP != 0; i++)
    v->narrow[i] = 0;
  if (v->count == 32)
    put_some(piece, v, width, 32);
  else
    put_some(piece, v, width, v->count);
  piece->count += (v->count * width + 7) / 8;
}

static uint32_t hash_of(const uint8_t *bytes, size_t size)
{
  uint64_t hash = size, word;
  for (size_t i = 0; i + sizeof word <= size; i += sizeof word) {
    memcpy(&word, bytes + i, sizeof word);
    hash = (hash << 5 | hash >> 59) ^ word;
  }
  return (uint32_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 40) % SL_TRACE_VECTORS;
}

/* If the piece has the bytes from `from` on twice, replaces them by their distance. */
static void put_again(struct sl_piece *piece, struct sl_trace_valued *before, size_t from)
{
  const size_t size = piece->count - from;
  uint32_t *place = &before->vector[hash_of(piece->bytes + from, size)];
  const size_t at = *place;
  *place = (uint32_t)from;
  if (at + size > from || memcmp(piece->bytes + at, piece->bytes + from, size) != 0)
    return;
  *place = (uint32_t)at;
  piece->count = from;
  piece->bytes[piece->count++] = AGAIN;
  sl_piece_number(piece, from - at);
}

SPECIALISED void put_general(struct sl_piece *piece, struct sl_trace_valued *before, struct values *v)
{
  const unsigned width = width_of(v->bits);
  sl_piece_number(piece, v->first);
  const size_t from = piece->count;
  piece->bytes[piece->count++] = (uint8_t)width;
  if (width <= 32) {
    put_bits(piece, v, width);
  } else {
    memcpy(piece->bytes + piece->count, v->wide, v->count * sizeof *v->wide);
    piece->count += v->count * sizeof *v->wide;
  }
  put_again(piece, before, from);
}

/* Appends values. Returns their shape. */
SPECIALISED unsigned put_values(struct sl_piece *piece, struct sl_trace_valued *before, struct sl_trace_values from,
                                sl_lanes active)
{
  struct values v;
  if (from.narrow == NULL && from.wide == NULL)
    return NONE;
  find(&v, from, active);
  if (v.shape == GENERAL)
    put_general(piece, before, &v);
  else
    sl_piece_number(piece, v.first);
  if (v.shape == AFFINE)
    sl_piece_signed(piece, v.step);
  return v.shape;
}

SPECIALISED void put(struct sl_piece *piece, struct sl_trace_valued *before, const struct sl_trace_execution *e)
{
  if (piece->rows == 0)
    *before = (struct sl_trace_valued){0};
  const uint64_t later = e->row - before->row;
  const size_t head = piece->count++;
  const bool is_near = later != 0 && later <= MOST_ROWS;
  unsigned flags = is_near ? (unsigned)later << ROWS : 0;
  if (!is_near)
    sl_piece_signed(piece, later);
  if (e->mask != before->mask) {
    flags |= OTHER_MASK;
    sl_piece_number(piece, e->mask);
  }
  flags |= put_values(piece, before, e->results, e->active);
  flags |= put_values(piece, before, e->addresses, e->active) << 2;
  piece->bytes[head] = (uint8_t)flags;
  before->row = e->row;
  before->mask = e->mask;
}

static void put_baseline(struct sl_piece *piece, struct sl_trace_valued *before, const struct sl_trace_execution *e)
{
  put(piece, before, e);
}

SL_HOST_VECTORS static void put_vectors(struct sl_piece *piece, struct sl_trace_valued *before,
                                        const struct sl_trace_execution *e)
{
  put(piece, before, e);
}

sl_trace_values_put *sl_trace_values_putter(void)
{
  return sl_host_has_vectors() ? put_vectors : put_baseline;
}
