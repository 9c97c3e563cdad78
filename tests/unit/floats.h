/* Corner values of floats, as bits: zeros, subnormals, ones and their neighbours, ties, limits of the integers, the
 * greatest and the least, infinities, NaNs. */
#ifndef SL_TESTS_FLOATS_H
#define SL_TESTS_FLOATS_H

#include <stdint.h>

#include "random.h"

static const uint32_t corner_floats[] = {
    0x00000000,                                                 /* 0 */
    0x00000001,                                                 /* least subnormal */
    0x00000002, 0x00000003, 0x00400000,                         /* half the least normal */
    0x007ffffe, 0x007fffff,                                     /* greatest subnormal */
    0x00800000,                                                 /* least normal */
    0x00800001, 0x00ffffff, 0x01000000, 0x01000001, 0x0c800000, /* squared, near the least subnormal */
    0x1f800000, 0x20000000,                                     /* squared, the least normal */
    0x33800000,                                                 /* 2^-24 */
    0x33800001, 0x34000000,                                     /* 2^-23 */
    0x3effffff, 0x3f000000,                                     /* 0.5 */
    0x3f000001, 0x3f7fffff, 0x3f800000,                         /* 1 */
    0x3f800001, 0x3f800002, 0x3fc00000,                         /* 1.5 */
    0x40000000,                                                 /* 2 */
    0x40200000,                                                 /* 2.5 */
    0x40490fdb,                                                 /* pi */
    0x4b000001,                                                 /* 2^23 + 1 */
    0x4b7fffff, 0x4b800000,                                     /* 2^24 */
    0x4b800001, 0x4effffff,                                     /* below 2^31 */
    0x4f000000,                                                 /* 2^31 */
    0x4f000001, 0x4f7fffff,                                     /* below 2^32 */
    0x4f800000,                                                 /* 2^32 */
    0x5f000000,                                                 /* 2^63 */
    0x5f7fffff,                                                 /* squared, near the greatest */
    0x5f800000, 0x7effffff, 0x7f000000, 0x7f7ffffe, 0x7f7fffff, /* greatest */
    0x7f800000,                                                 /* infinity */
    0x7f800001,                                                 /* signalling NaNs */
    0x7fbfffff, 0x7fc00000,                                     /* quiet NaNs */
    0x7fffffff,
};

enum {
  HALF_OF_CORNER_FLOATS = sizeof corner_floats / sizeof corner_floats[0],
  CORNER_FLOATS = 2 * HALF_OF_CORNER_FLOATS
};

/* Both signs of each. */
static inline uint32_t corner_float(unsigned i)
{
  return corner_floats[i / 2] | (uint32_t)(i % 2) << 31;
}

/* Random bits, a corner value, or a number near another operand, so that sums cancel and products are near limits. */
static inline uint32_t random_float(uint64_t *seed, uint32_t other)
{
  const uint32_t bits = random32(seed);
  switch (random_below(seed, 8)) {
  case 0: return corner_float(random_below(seed, CORNER_FLOATS));
  case 1: return other ^ (bits & 0x80000007);
  case 2: return ((other & 0x7f800000) + (bits % 64 << 23) - (32u << 23)) ^ (bits & 0x807fffff);
  case 3:
    return (bits & 0x80000000) | (0x3f800000 - (other & 0x7f800000) + (bits & 0x07ffffff)); /* product near a limit */
  case 4: return (bits & 0x81ffffff) | 0x3e000000;
  case 5: return bits & 0x80ffffff;                                      /* least binades */
  case 6: return (bits & 0x807ff000) | (0x30000000 + (bits % 64 << 23)); /* few digits: ties */
  default: return bits;
  }
}

#endif
