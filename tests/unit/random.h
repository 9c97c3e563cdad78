/* Random numbers for property tests, the same in every run. */
#ifndef SL_TESTS_RANDOM_H
#define SL_TESTS_RANDOM_H

#include <stdint.h>

/* splitmix64 (Steele, Lea and Flood, 2014). */
static inline uint64_t random64(uint64_t *state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static inline uint32_t random32(uint64_t *state)
{
  return (uint32_t)(random64(state) >> 32);
}

/* From 0 to n - 1. */
static inline unsigned random_below(uint64_t *state, unsigned n)
{
  return random32(state) % n;
}

#endif
