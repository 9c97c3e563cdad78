/* Types that all layers share: lane and warp sets, and the limits of their sizes. */
#ifndef SL_BASE_TYPES_H
#define SL_BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum sizes: a set has one bit per lane of a warp, or one bit per warp of an SM. */
enum { SL_MAX_LANES = 64, SL_MAX_WARPS = 64, SL_CACHE_LINE = 64 };

/* Whether the machines check invariants and run their oracles: test builds. */
#ifdef SL_CHECK_INVARIANTS
enum { SL_CHECKS = 1 };
#else
enum { SL_CHECKS = 0 };
#endif

struct sl_schema;  /* base/schema.h: the table of a struct's fields */
struct sl_archive; /* base/schema.h */

typedef uint64_t sl_lanes; /* set of lanes, bit i = lane i */
typedef uint64_t sl_warps; /* set of warps, bit i = warp i */

static inline uint64_t sl_bit(unsigned i)
{
  return UINT64_C(1) << i;
}

/* yes ? a : b, for conditions that are hard to predict: the compiler then prefers a conditional move to a branch. */
static inline uint64_t sl_choose(bool yes, uint64_t a, uint64_t b)
{
  return __builtin_expect_with_probability(yes, 1, 0.5) ? a : b;
}

/* Asserts that a wheel or ring can hold the maximum that the keys' ranges allow. */
#define SL_HOLDS(size, most, why) _Static_assert((int64_t)(size) >= (int64_t)(most), why)

/* A mask of the n lowest bits; n from 0 to 64. */
static inline uint64_t sl_low_bits(unsigned n)
{
  return n >= 64 ? ~UINT64_C(0) : sl_bit(n) - 1;
}

/* Index of the lowest bit of a non-empty set. */
static inline unsigned sl_lowest(uint64_t set)
{
  return (unsigned)__builtin_ctzll(set);
}

/* Index of the highest bit of a non-empty set. */
static inline unsigned sl_highest(uint64_t set)
{
  return 63u - (unsigned)__builtin_clzll(set);
}

/* Number of elements of a set. Plain arithmetic, because not every x86-64 has the popcount instruction. */
static inline unsigned sl_count(uint64_t set)
{
  set -= (set >> 1) & UINT64_C(0x5555555555555555);
  set = (set & UINT64_C(0x3333333333333333)) + ((set >> 2) & UINT64_C(0x3333333333333333));
  set = (set + (set >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (unsigned)((set * UINT64_C(0x0101010101010101)) >> 56);
}

/* The later and the earlier of two cycles. */
static inline uint64_t sl_later_cycle(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static inline uint64_t sl_earlier_cycle(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static inline bool sl_is_pow2(uint64_t v)
{
  return v != 0 && (v & (v - 1)) == 0;
}

/* log2 of a power of two. */
static inline unsigned sl_log2(uint64_t v)
{
  return sl_lowest(v);
}

/* Execution modes of the functional simulation. All give identical results and differ only in host time. */
enum sl_execution_mode {
  SL_MODE_EMITTED,      /* JIT: as SL_MODE_BLOCKS, with hot blocks as host machine code where available */
  SL_MODE_EMITTED_AVX2, /* likewise, with no instructions beyond AVX2 */
  SL_MODE_BLOCKS,       /* one basic block at a time */
  SL_MODE_INSTRUCTIONS, /* one instruction at a time */
  /* For comparison tests: compile every block at once; switch modes at random. */
  SL_MODE_EAGER,
  SL_MODE_EAGER_AVX2,
  SL_MODE_SWITCHING
};

#endif
