#include "observe/trace/trace_deflate.h"

#include <stdbool.h>
#include <string.h>
#include <zlib.h>

enum { SHORTEST = 4, LONGEST = 258, FARTHEST = 1 << 15, HEADER = 2, END = 4, SLACK = 16 };

/* ---- codes ------------------------------------------------------------------------------------------------------- */

static uint32_t reversed(uint32_t bits, unsigned count)
{
  uint32_t result = 0;
  for (unsigned i = 0; i < count; i++)
    result |= (bits >> i & 1) << (count - 1 - i);
  return result;
}

static struct sl_deflate_code fixed_code(unsigned symbol)
{
  if (symbol < 144)
    return (struct sl_deflate_code){reversed(0x30 + symbol, 8), 8};
  if (symbol < 256)
    return (struct sl_deflate_code){reversed(0x190 + symbol - 144, 9), 9};
  if (symbol < 280)
    return (struct sl_deflate_code){reversed(symbol - 256, 7), 7};
  return (struct sl_deflate_code){reversed(0xc0 + symbol - 280, 8), 8};
}

/* Lengths 3 to 257 in groups of four that have the same number of extra bits; 258 has a code of its own. */
static void open_lengths(struct sl_deflate *d)
{
  unsigned symbol = 257;
  for (unsigned length = 3; length < LONGEST;) {
    const unsigned extra = symbol < 265 ? 0 : (symbol - 261) / 4;
    for (unsigned i = 0; i < 1u << extra && length < LONGEST; i++, length++) {
      struct sl_deflate_code code = fixed_code(symbol);
      code.bits |= i << code.count;
      code.count = (uint8_t)(code.count + extra);
      d->length[length] = code;
    }
    symbol++;
  }
  d->length[LONGEST] = fixed_code(285);
}

static unsigned extra_of(unsigned distance_code)
{
  return distance_code < 4 ? 0 : distance_code / 2 - 1;
}

static void open_distances(struct sl_deflate *d)
{
  unsigned from = 0; /* the distance less 1 */
  for (unsigned code = 0; code < 30; code++) {
    d->distance[code] = (struct sl_deflate_code){reversed(code, 5), (uint8_t)extra_of(code)};
    for (unsigned i = 0; i < 1u << extra_of(code); i++, from++)
      if (from < 256)
        d->near[from] = (uint8_t)code;
      else
        d->far[from >> 7] = (uint8_t)code;
  }
}

void sl_deflate_open(struct sl_deflate *d)
{
  memset(d, 0, sizeof *d);
  for (unsigned i = 0; i < 256; i++)
    d->literal[i] = fixed_code(i);
  open_lengths(d);
  open_distances(d);
}

/* ---- bits -------------------------------------------------------------------------------------------------------- */

struct writer {
  uint8_t *to;
  uint64_t bits;
  unsigned count; /* below 32 between writes */
};

static inline void put(struct writer *w, uint64_t bits, unsigned count)
{
  w->bits |= bits << w->count;
  w->count += count;
  if (w->count >= 32) {
    const uint32_t low = (uint32_t)w->bits;
    memcpy(w->to, &low, sizeof low);
    w->to += sizeof low;
    w->bits >>= 32;
    w->count -= 32;
  }
}

static inline void put_match(struct writer *w, const struct sl_deflate *d, unsigned length, uint32_t distance)
{
  const uint32_t from = distance - 1;
  const unsigned code = from < 256 ? d->near[from] : d->far[from >> 7], extra = d->distance[code].count;
  put(w, d->length[length].bits, d->length[length].count);
  put(w, d->distance[code].bits | (from & ((1u << extra) - 1)) << 5, 5 + extra);
}

/* ---- matches ----------------------------------------------------------------------------------------------------- */

static inline uint32_t load(const uint8_t *at)
{
  uint32_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

static unsigned match_length(const uint8_t *bytes, size_t old, size_t at, size_t count)
{
  const size_t most = count - at < LONGEST ? count - at : LONGEST;
  size_t n = SHORTEST;
  while (n + 8 <= most) {
    uint64_t a, b;
    memcpy(&a, bytes + old + n, sizeof a);
    memcpy(&b, bytes + at + n, sizeof b);
    if (a != b)
      return (unsigned)n + (unsigned)__builtin_ctzll(a ^ b) / 8;
    n += 8;
  }
  while (n < most && bytes[old + n] == bytes[at + n])
    n++;
  return (unsigned)n;
}

/* Bytes without matches are looked at less and less closely. */
static void put_bytes(struct sl_deflate *d, const uint8_t *bytes, size_t count, struct writer *w)
{
  enum { PATIENCE = 5 };
  unsigned misses = 0;
  for (size_t at = 0; at < count;) {
    const bool whole = count - at >= SHORTEST;
    uint32_t *place = whole ? &d->place[load(bytes + at) * UINT32_C(2654435761) >> 19] : NULL;
    const size_t old = whole && *place != 0 ? *place - 1 : at;
    if (whole)
      *place = (uint32_t)at + 1;
    if (old < at && at - old <= FARTHEST && load(bytes + old) == load(bytes + at)) {
      const unsigned length = match_length(bytes, old, at, count);
      put_match(w, d, length, (uint32_t)(at - old));
      at += length;
      misses = 0;
      continue;
    }
    const size_t step = (misses++ >> PATIENCE) + 1, end = count - at < step ? count : at + step;
    for (; at < end; at++)
      put(w, d->literal[bytes[at]].bits, d->literal[bytes[at]].count);
  }
}

size_t sl_deflate_bound(size_t count)
{
  return HEADER + count / 8 * 9 + 9 + END + SLACK;
}

size_t sl_deflate(struct sl_deflate *d, const uint8_t *bytes, size_t count, uint8_t *to)
{
  struct writer w = {.to = to + HEADER};
  const uint32_t sum = (uint32_t)adler32_z(adler32_z(0, NULL, 0), bytes, count);
  to[0] = 0x78; /* deflate with a window of 32 KiB */
  to[1] = 0x01;
  memset(d->place, 0, sizeof d->place);
  put(&w, 3, 3); /* the last block, with the fixed codes */
  put_bytes(d, bytes, count, &w);
  put(&w, 0, 7); /* the end of the block */
  for (; w.count > 0; w.count = w.count > 8 ? w.count - 8 : 0, w.bits >>= 8)
    *w.to++ = (uint8_t)w.bits;
  for (unsigned i = 0; i < END; i++)
    *w.to++ = (uint8_t)(sum >> (24 - 8 * i));
  return (size_t)(w.to - to);
}
