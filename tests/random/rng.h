/* Random numbers that are the same on every host: splitmix64 (Steele, Lea, Flood 2014). */
#ifndef RND_RNG_H
#define RND_RNG_H

#include "base/types.h"

struct rng {
  uint64_t state;
};

static inline uint64_t rng_next(struct rng *rng)
{
  uint64_t z = rng->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* 0 to n-1; n is small, so that the modulus' bias does not matter. */
static inline unsigned rng_below(struct rng *rng, unsigned n)
{
  return (unsigned)((rng_next(rng) >> 32) % n);
}

/* True in `percent` of 100 cases. */
static inline bool rng_chance(struct rng *rng, unsigned percent)
{
  return rng_below(rng, 100) < percent;
}

#endif
