#include "observe/trace/trace_page.h"

#include "isa/host_level.h"
#include "isa/lanes.h"

enum { NONE, UNIFORM, AFFINE, GENERAL };
enum { OTHER_MASK = 1 << 4, ROWS = 5, MOST_ROWS = 7 };
enum { AGAIN = 0, GROUP = 8 /* lanes */ };

#define SPECIALISED static inline __attribute__((always_inline))

/* Differences of the active lanes' values to the first one, as zigzag. */
struct differences {
  unsigned count;
  uint64_t bits;                         /* that any difference has */
  uint32_t narrow[SL_MAX_LANES + GROUP]; /* if these are at most 32; then zeros up to a multiple of GROUP */
  uint64_t wide[SL_MAX_LANES];
};

/* Writes an integer as a word. Returns what is behind it. */
SPECIALISED uint8_t *put_word(uint8_t *at, uint64_t value)
{
  const unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1), size = (9 * bits + 64) / 64;
  if (bits > 56) {
    *at = 0;
    memcpy(at + 1, &value, sizeof value);
    return at + 9;
  }
  value = value << size | UINT64_C(1) << (size - 1);
  memcpy(at, &value, sizeof value);
  return at + size;
}

SPECIALISED uint64_t zigzag(uint64_t value)
{
  return value << 1 ^ (0 - (value >> 63));
}

/* The loops below have no branches, so that they become vector operations. `count` is that of the values, or for usual
 * ones a constant. */
SPECIALISED void subtract(struct differences *d, const uint32_t *from, const unsigned count)
{
  const uint32_t first = from[0];
  uint32_t bits = 0;
  for (unsigned i = 0; i < count; i++) {
    const uint32_t difference = from[i] - first;
    d->narrow[i] = difference << 1 ^ (uint32_t)((int32_t)difference >> 31);
    bits |= d->narrow[i];
  }
  d->bits = bits;
}

SPECIALISED void subtract_wide(struct differences *d, const uint64_t *from)
{
  d->bits = 0;
  for (unsigned i = 0; i < d->count; i++) {
    d->wide[i] = zigzag(from[i] - from[0]);
    d->narrow[i] = (uint32_t)d->wide[i];
    d->bits |= d->wide[i];
  }
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
SPECIALISED void put_some(uint8_t *bytes, const struct differences *v, unsigned width, const unsigned count)
{
  enum { PAIRS = SL_MAX_LANES / 2 + GROUP };
  uint64_t two[PAIRS], four[PAIRS / 2], eight[PAIRS / 4];
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

SPECIALISED uint8_t *put_bits(uint8_t *at, struct differences *d, unsigned width)
{
  for (unsigned i = d->count; i % GROUP != 0; i++)
    d->narrow[i] = 0;
  if (d->count == 32)
    put_some(at, d, width, 32);
  else
    put_some(at, d, width, d->count);
  return at + (d->count * width + 7) / 8;
}

/* Four words of bytes: all that decides whether they are compared. Fewer bytes than a word are one. */
static inline uint64_t hash_of(const uint8_t *bytes, size_t size)
{
  const size_t last = size - sizeof(uint64_t);
  uint64_t first = size, second, third, fourth;
  if (size < sizeof first) {
    memcpy(&first, bytes, size);
    return first * UINT64_C(0x9e3779b97f4a7c15) >> 40;
  }
  memcpy(&first, bytes, sizeof first);
  memcpy(&second, bytes + last / 4, sizeof second);
  memcpy(&third, bytes + last / 2, sizeof third);
  memcpy(&fourth, bytes + last, sizeof fourth);
  first ^= (second << 13 | second >> 51) ^ (third << 29 | third >> 35) ^ (fourth << 43 | fourth >> 21);
  return first * UINT64_C(0x9e3779b97f4a7c15) >> 40;
}

/* If the piece has the bytes from `from` on twice, replaces them by their distance. Returns what is behind. */
static uint8_t *put_again(uint8_t *bytes, struct sl_trace_valued *before, uint8_t *from, uint8_t *end)
{
  const size_t size = (size_t)(end - from), here = (size_t)(from - bytes);
  uint32_t *place = &before->vector[hash_of(from, size) % SL_TRACE_VECTORS];
  const size_t at = *place;
  *place = (uint32_t)here;
  if (at + size > here || memcmp(bytes + at, from, size) != 0)
    return end;
  *place = (uint32_t)at;
  *from = AGAIN;
  return put_word(from + 1, here - at);
}

SPECIALISED uint8_t *put_differences(uint8_t *bytes, struct sl_trace_valued *before, uint8_t *from,
                                     struct differences *d)
{
  const unsigned width = width_of(d->bits);
  *from = (uint8_t)width;
  if (width <= 32)
    return put_again(bytes, before, from, put_bits(from + 1, d, width));
  memcpy(from + 1, d->wide, d->count * sizeof *d->wide);
  return put_again(bytes, before, from, from + 1 + d->count * sizeof *d->wide);
}

/* Write values of active lanes, one after another. *shape: theirs. */
SPECIALISED uint8_t *put_some_narrow(uint8_t *bytes, struct sl_trace_valued *before, uint8_t *at, const uint32_t *from,
                                     const unsigned count, unsigned *shape)
{
  const uint32_t first = from[0], step = count > 1 ? from[1] - first : 0;
  const int64_t last = (int64_t)first + (int64_t)(int32_t)step * (int64_t)(count - 1);
  uint32_t bends = 0;
  for (uint32_t i = 0; i < count; i++)
    bends |= from[i] ^ (first + step * i);
  at = put_word(at, first);
  if (bends == 0 && last >= 0 && last <= UINT32_MAX) { /* else it is affine modulo 2^32 only */
    *shape = step == 0 ? UNIFORM : AFFINE;
    return step == 0 ? at : put_word(at, zigzag((uint64_t)(int64_t)(int32_t)step));
  }
  struct differences d;
  d.count = count;
  subtract(&d, from, count);
  *shape = GENERAL;
  return put_differences(bytes, before, at, &d);
}

SPECIALISED uint8_t *put_narrow(uint8_t *bytes, struct sl_trace_valued *before, uint8_t *at, const uint32_t *from,
                                unsigned count, unsigned *shape)
{
  return count == 16 ? put_some_narrow(bytes, before, at, from, 16, shape)
                     : put_some_narrow(bytes, before, at, from, count, shape);
}

SPECIALISED uint8_t *put_wide(uint8_t *bytes, struct sl_trace_valued *before, uint8_t *at, const uint64_t *from,
                              unsigned count, unsigned *shape)
{
  const uint64_t first = from[0], step = count > 1 ? from[1] - first : 0;
  uint64_t bends = 0;
  for (unsigned i = 1; i < count; i++)
    bends |= (from[i] - from[i - 1]) ^ step;
  at = put_word(at, first);
  if (bends == 0) {
    *shape = step == 0 ? UNIFORM : AFFINE;
    return step == 0 ? at : put_word(at, zigzag(step));
  }
  struct differences d;
  d.count = count;
  subtract_wide(&d, from);
  *shape = GENERAL;
  return put_differences(bytes, before, at, &d);
}

/* Writes the values of the active lanes, which are not the first ones. */
SPECIALISED uint8_t *put_picked(uint8_t *bytes, struct sl_trace_valued *before, uint8_t *at,
                                struct sl_trace_values from, sl_lanes active, unsigned *shape)
{
  uint32_t narrow[SL_MAX_LANES];
  uint64_t wide[SL_MAX_LANES];
  unsigned n = 0;
  for (sl_lanes rest = active; rest != 0; rest &= rest - 1, n++)
    if (from.narrow != NULL)
      narrow[n] = from.narrow[sl_lowest(rest)];
    else
      wide[n] = from.wide[sl_lowest(rest)];
  return from.narrow != NULL ? put_some_narrow(bytes, before, at, narrow, n, shape)
                             : put_wide(bytes, before, at, wide, n, shape);
}

SPECIALISED uint8_t *put_values(uint8_t *bytes, struct sl_trace_valued *before, uint8_t *at,
                                struct sl_trace_values from, const struct sl_trace_mask *mask, unsigned *shape)
{
  const bool are_first = (mask->active & (mask->active + 1)) == 0;
  if (from.narrow == NULL && from.wide == NULL)
    return at;
  if (!are_first)
    return put_picked(bytes, before, at, from, mask->active, shape);
  return from.narrow != NULL ? put_narrow(bytes, before, at, from.narrow, mask->lanes, shape)
                             : put_wide(bytes, before, at, from.wide, mask->lanes, shape);
}

SPECIALISED void put(struct sl_piece *piece, struct sl_trace_valued *before, uint64_t row,
                     const struct sl_trace_mask *mask, const struct sl_trace_data *data)
{
  if (piece->rows == 0)
    *before = (struct sl_trace_valued){0};
  const uint64_t later = row - before->row;
  uint8_t *const bytes = piece->bytes, *const head = bytes + piece->count, *at = head + 1;
  const bool is_near = later != 0 && later <= MOST_ROWS;
  unsigned flags = is_near ? (unsigned)later << ROWS : 0, results = NONE, addresses = NONE;
  if (!is_near)
    at = sl_piece_put(at, zigzag(later));
  if (mask->number != before->mask) {
    flags |= OTHER_MASK;
    at = sl_piece_put(at, mask->number);
  }
  before->row = row;
  before->mask = mask->number;
  if (mask->active == UINT32_MAX && data->results.wide == NULL && data->addresses.wide == NULL) { /* as usual */
    if (data->results.narrow != NULL)
      at = put_some_narrow(bytes, before, at, data->results.narrow, 32, &results);
    if (data->addresses.narrow != NULL)
      at = put_some_narrow(bytes, before, at, data->addresses.narrow, 32, &addresses);
  } else {
    at = put_values(bytes, before, at, data->results, mask, &results);
    at = put_values(bytes, before, at, data->addresses, mask, &addresses);
  }
  *head = (uint8_t)(flags | results | addresses << 2);
  piece->count = (size_t)(at - bytes);
}

static void put_baseline(struct sl_piece *piece, struct sl_trace_valued *before, uint64_t row,
                         const struct sl_trace_mask *mask, const struct sl_trace_data *data)
{
  put(piece, before, row, mask, data);
}

SL_HOST_VECTORS static void put_vectors(struct sl_piece *piece, struct sl_trace_valued *before, uint64_t row,
                                        const struct sl_trace_mask *mask, const struct sl_trace_data *data)
{
  put(piece, before, row, mask, data);
}

sl_trace_values_put *sl_trace_values_putter(void)
{
  return sl_host_has_vectors() ? put_vectors : put_baseline;
}
