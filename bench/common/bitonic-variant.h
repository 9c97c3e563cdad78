// Bitonic sorting network for pairs of a KEY and a value, in shared memory.

#ifndef BENCH_BITONIC_H
#define BENCH_BITONIC_H

#include "bench.h"

enum { CHUNK = 1024 }; // pairs that a block sorts in shared memory

#define CHUNK_BYTES (CHUNK * (sizeof(KEY) + sizeof(int)))

// Brings two pairs into ascending or descending order.
SIMT_INLINE void compare_exchange(KEY *key_a, int *value_a, KEY *key_b, int *value_b, int descending)
{
  const KEY a = *key_a;
  const KEY b = *key_b;
  SIMT_LEVEL
  if ((a > b) != descending) {
    const int value = *value_a;
    *key_a = b;
    *key_b = a;
    *value_a = *value_b;
    *value_b = value;
  }
}

// Position of the first element of the i-th pair of elements that are `stride` apart.
SIMT_INLINE unsigned pair_position(unsigned i, unsigned stride)
{
  return 2 * i - (i & (stride - 1));
}

// The steps from `stride` down of a merge of sequences of `size` elements, in shared memory. Pairs are counted from
// `first_pair` on; the bit of half the size in a pair's number is set where the sequence is to descend.
SIMT_INLINE void merge_in_chunk(dim3 threadIdx, dim3 blockDim, KEY *key, int *value, unsigned first_pair, unsigned size,
                                unsigned stride)
{
  for (; stride > 0; stride /= 2) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < CHUNK / 2; i += blockDim.x) {
      const unsigned p = pair_position(i, stride);
      compare_exchange(&key[p], &value[p], &key[p + stride], &value[p + stride], ((first_pair + i) & (size / 2)) != 0);
    }
  }
}

SIMT_INLINE void copy_chunk(dim3 threadIdx, dim3 blockDim, KEY *to_key, int *to_value, const KEY *key, const int *value)
{
  for (unsigned i = threadIdx.x; i < CHUNK; i += blockDim.x) {
    to_key[i] = key[i];
    to_value[i] = value[i];
  }
}

// Sorts every chunk, all of them upwards, or those of odd number downwards if `alternate` is 1.
SIMT_KERNEL(bitonic_sort_chunk, (unsigned, alternate), (KEY *, keys), (int *, values))
{
  SIMT_SHARED(KEY, key, CHUNK);
  SIMT_SHARED(int, value, CHUNK);
  const unsigned base = blockIdx.x * CHUNK;
  const unsigned first_pair = (blockIdx.x & alternate) * (CHUNK / 2);

  copy_chunk(threadIdx, blockDim, key, value, keys + base, values + base);
  for (unsigned size = 2; size <= CHUNK; size *= 2)
    merge_in_chunk(threadIdx, blockDim, key, value, first_pair, size, size / 2);
  __syncthreads();
  copy_chunk(threadIdx, blockDim, keys + base, values + base, key, value);
}

// Random keys; the value of a pair is its place in the unsorted array.
static inline void bitonic_fill(int n, KEY *keys, KEY *original, int *values)
{
  for (int i = 0; i < n; i++) {
    keys[i] = original[i] = (KEY)((int)bench_random() >> 8);
    values[i] = i;
  }
}

// Ascending keys, each the original key of its value, and no value twice. `original` is overwritten.
static inline int bitonic_is_sorted(int n, const KEY *keys, KEY *original, const int *values, int base)
{
  const KEY taken = (KEY)(1 << 24); // no key is as large
  int passed = 1;
  for (int i = 0; i < n; i++) {
    const int place = values[i] - base;
    if (place < 0 || place >= n)
      return 0;
    passed &= keys[i] == original[place] && (i == 0 || keys[i - 1] <= keys[i]);
    original[place] = taken;
  }
  return passed;
}

#endif
