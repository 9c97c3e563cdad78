#include "observe/trace/trace_values.h"

#include "isa/lanes.h"

enum { NONE, UNIFORM, AFFINE, GENERAL };
enum { OTHER_MASK = 1 << 4, ROWS = 5, MOST_ROWS = 7 };
enum { AGAIN = 0 };

/* Values of the active lanes, one after another: differences to the first one, as zigzag. */
struct values {
  unsigned shape, count;
  uint64_t first, step;
  uint64_t bits; /* that any difference has */
  bool is_narrow;
  uint32_t narrow[SL_MAX_LANES];
  uint64_t wide[SL_MAX_LANES];
};

/* Whether the active lanes are the first ones. */
static bool are_first(sl_lanes active)
{
  return (active & (active + 1)) == 0;
}

/* The loops have no branches, so that they become vector operations. */
static void find_narrow(struct values *v, const uint32_t *from)
{
  const uint32_t first = from[0], step = v->count > 1 ? from[1] - first : 0;
  uint32_t bits = 0, bends = 0;
  for (unsigned i = 0; i < v->count; i++) {
    const uint32_t difference = from[i] - first;
    v->narrow[i] = difference << 1 ^ (uint32_t)((int32_t)difference >> 31);
    bits |= v->narrow[i];
  }
  for (unsigned i = 1; i < v->count; i++)
    bends |= (from[i] - from[i - 1]) ^ step;
  const int64_t last = (int64_t)first + (int64_t)(int32_t)step * (int64_t)(v->count - 1);
  const bool is_affine = bends == 0 && last >= 0 && last <= UINT32_MAX; /* else it is so modulo 2^32 only */
  v->shape = bits == 0 ? UNIFORM : is_affine ? AFFINE : GENERAL;
  v->first = first;
  v->step = (uint64_t)(int64_t)(int32_t)step;
  v->bits = bits;
}

static void find_wide(struct values *v, const uint64_t *from)
{
  const uint64_t first = from[0], step = v->count > 1 ? from[1] - first : 0;
  uint64_t bits = 0, bends = 0;
  for (unsigned i = 0; i < v->count; i++) {
    const uint64_t difference = from[i] - first;
    v->wide[i] = difference << 1 ^ (0 - (difference >> 63));
    bits |= v->wide[i];
  }
  for (unsigned i = 1; i < v->count; i++)
    bends |= (from[i] - from[i - 1]) ^ step;
  v->shape = bits == 0 ? UNIFORM : bends == 0 ? AFFINE : GENERAL;
  v->first = first;
  v->step = step;
  v->bits = bits;
}

static void find(struct values *v, struct sl_trace_values from, sl_lanes active)
{
  uint32_t narrow[SL_MAX_LANES];
  uint64_t wide[SL_MAX_LANES];
  v->is_narrow = from.narrow != NULL;
  v->count = (unsigned)__builtin_popcountll(active);
  if (!are_first(active)) {
    unsigned n = 0;
    for (sl_lanes rest = active; rest != 0; rest &= rest - 1, n++)
      if (v->is_narrow)
        narrow[n] = from.narrow[sl_lowest(rest)];
      else
        wide[n] = from.wide[sl_lowest(rest)];
    from = (struct sl_trace_values){.narrow = v->is_narrow ? narrow : NULL, .wide = wide};
  }
  if (v->is_narrow)
    find_narrow(v, from.narrow);
  else
    find_wide(v, from.wide);
}

/* Bits of a difference: as many as it needs, or 64. */
static unsigned width_of(uint64_t bits)
{
  return bits > UINT32_MAX ? 64 : 64 - (unsigned)__builtin_clzll(bits);
}

/* Differences of up to 32 bits, without bits between them. */
static void put_bits(struct sl_piece *piece, const struct values *v, unsigned width)
{
  uint8_t *const bytes = piece->bytes + piece->count;
  uint64_t word = 0;
  size_t at = 0;
  unsigned filled = 0;
  for (unsigned i = 0; i < v->count; i++) {
    word |= (v->is_narrow ? v->narrow[i] : v->wide[i]) << filled;
    filled += width;
    if (filled >= 32) {
      const uint32_t half = (uint32_t)word;
      memcpy(bytes + at, &half, sizeof half);
      word >>= 32;
      filled -= 32;
      at += sizeof half;
    }
  }
  memcpy(bytes + at, &word, sizeof word);
  piece->count += (v->count * width + 7) / 8;
}

#define PUT_DIFFERENCES(type, values)                                                                                  \
  for (unsigned i = 0; i < v->count; i++) {                                                                            \
    const type difference = (type)v->values[i];                                                                        \
    memcpy(piece->bytes + piece->count + i * sizeof difference, &difference, sizeof difference);                       \
  }

static void put_bytes(struct sl_piece *piece, const struct values *v, unsigned width)
{
  if (v->is_narrow)
    switch (width) {
    case 8: PUT_DIFFERENCES(uint8_t, narrow); break;
    case 16: PUT_DIFFERENCES(uint16_t, narrow); break;
    default: PUT_DIFFERENCES(uint32_t, narrow); break;
    }
  else
    switch (width) {
    case 8: PUT_DIFFERENCES(uint8_t, wide); break;
    case 16: PUT_DIFFERENCES(uint16_t, wide); break;
    case 32: PUT_DIFFERENCES(uint32_t, wide); break;
    default: PUT_DIFFERENCES(uint64_t, wide); break;
    }
  piece->count += (size_t)(width / 8) * v->count;
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

static void put_general(struct sl_piece *piece, struct sl_trace_valued *before, const struct values *v)
{
  const unsigned width = width_of(v->bits);
  sl_piece_number(piece, v->first);
  const size_t from = piece->count;
  piece->bytes[piece->count++] = (uint8_t)width;
  if (width % 8 != 0 || width == 24)
    put_bits(piece, v, width);
  else
    put_bytes(piece, v, width);
  put_again(piece, before, from);
}

/* Appends values. Returns their shape. */
static unsigned put_values(struct sl_piece *piece, struct sl_trace_valued *before, struct sl_trace_values from,
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

void sl_trace_values_put(struct sl_piece *piece, struct sl_trace_valued *before, const struct sl_trace_execution *e)
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
