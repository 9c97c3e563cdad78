// Bitonic sorting network for pairs of a KEY and a value of the same type, in shared memory: a thread has one pair of
// elements in every step.

#ifndef BENCH_BITONIC_H
#define BENCH_BITONIC_H

#include "suite.h"

// Maximum number of elements that a block sorts in shared memory, two per thread.
enum { CHUNK_MOST = 2 * BLOCK_MOST };

#define CHUNK_BYTES (2 * sizeof(KEY[CHUNK_MOST]))

// Position of the first element of the t-th pair of elements that are `stride` apart.
SIMT_INLINE int pair_position(int t, int stride)
{
  return 2 * t - (t & (stride - 1));
}

// Brings two elements into ascending order if the direction is 1, into descending order if it is 0.
SIMT_INLINE void compare_exchange(KEY *key_a, KEY *value_a, KEY *key_b, KEY *value_b, int direction)
{
  const KEY a = *key_a;
  const KEY b = *key_b;
  if (__builtin_expect((a > b) == direction, 1)) { // otherwise Clang places it out of line, with a jump back
    *key_a = b;
    *key_b = a;
    const KEY value = *value_a;
    *value_a = *value_b;
    *value_b = value;
  }
  simt_converge();
}

// The steps from `stride` down of a merge in shared memory.
SIMT_INLINE void merge_steps(KEY *key, KEY *value, int t, int stride, int direction)
{
  for (; stride > 0; stride /= 2) {
    __syncthreads();
    const int p = pair_position(t, stride);
    compare_exchange(&key[p], &value[p], &key[p + stride], &value[p + stride], direction);
  }
}

// The generator's values, alternately for keys and values.
static inline void bitonic_fill(int n, KEY *keys, KEY *values)
{
  struct suite_random random = {1};
  for (int i = 0; i < n; i++) {
    keys[i] = (KEY)suite_next(&random);
    values[i] = (KEY)suite_next(&random);
  }
}

// An order-independent sum counts how often each pair occurs.
static inline uint32_t bitonic_sum(int n, const KEY *keys, const KEY *values)
{
  uint32_t sum = 0;
  for (int i = 0; i < n; i++) {
    uint32_t pair = (uint32_t)keys[i] << 15 | (uint32_t)values[i];
    pair = (pair ^ pair >> 16) * 0x85EBCA6Bu;
    sum += pair ^ pair >> 13;
  }
  return sum;
}

// Ascending keys, and the same pairs as before.
static inline int bitonic_is_sorted(int n, const KEY *keys, const KEY *values, uint32_t sum)
{
  int passed = bitonic_sum(n, keys, values) == sum;
  for (int i = 1; i < n; i++)
    passed &= keys[i - 1] <= keys[i];
  return passed;
}

#endif
