/* Deflates pieces of a trace faster than zlib's level 1, into about a sixth more bytes: one block with the fixed codes,
 * and matches of the last place that has the same four bytes. Source: RFC 1950 and 1951. */
#ifndef SL_OBSERVE_TRACE_DEFLATE_H
#define SL_OBSERVE_TRACE_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

enum { SL_DEFLATE_PLACES = 1 << 13, SL_DEFLATE_LENGTHS = 259 };

/* Bits in the order in which they are written. */
struct sl_deflate_code {
  uint32_t bits;
  uint8_t count;
};

struct sl_deflate {
  struct sl_deflate_code literal[256], length[SL_DEFLATE_LENGTHS], distance[30];
  uint8_t near[256], far[256];       /* codes of distances: up to 256, and of the distance less 1 in units of 128 */
  uint32_t place[SL_DEFLATE_PLACES]; /* by hash of four bytes: position + 1 */
};

void sl_deflate_open(struct sl_deflate *deflate);

/* The greatest size of the result. */
size_t sl_deflate_bound(size_t count);

/* Returns the size of the result, a zlib stream. */
size_t sl_deflate(struct sl_deflate *deflate, const uint8_t *bytes, size_t count, uint8_t *to);

#endif
