/* Orders that a seed determines. */
#ifndef SL_BASE_SHUFFLE_H
#define SL_BASE_SHUFFLE_H

#include <stdint.h>

/* Mixes the bits of a number. Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators". */
static inline uint64_t sl_mixed(uint64_t x)
{
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* The number at place i of a permutation of 0 to n - 1. Seed 0: i itself. */
static inline uint64_t sl_shuffled(uint64_t seed, uint64_t i, uint64_t n)
{
  if (seed == 0 || n < 2)
    return i;
  const uint64_t mixed = sl_mixed(seed);
  for (uint64_t step = (mixed >> 32) % n;; step = (step + 1) % n) {
    uint64_t a = n, b = step;
    while (b != 0) {
      const uint64_t rest = a % b;
      a = b;
      b = rest;
    }
    if (a == 1) /* no common divisor */
      return ((uint64_t)(uint32_t)mixed + i * step) % n;
  }
}

#endif
