// Sorting of many arrays that fit into shared memory, by a bitonic network per block.

#define KEY unsigned
#define BLOCK_MOST 512
#include "../common/bitonic.h"

// A block sorts an array of two elements per thread, upwards if the direction is 1.
SUITE_KERNEL(bitonic_sort_small, (KEY *, to_keys), (KEY *, to_values), (const KEY *, keys), (const KEY *, values),
             (int, length), (int, direction))
{
  SUITE_SHARED(KEY, key, CHUNK_MOST);
  SUITE_SHARED(KEY, value, CHUNK_MOST);
  const int t = threadIdx.x;
  const int half = blockDim.x;
  const int first = (int)blockIdx.x * length + t;

  key[t] = keys[first];
  value[t] = values[first];
  key[t + half] = keys[first + half];
  value[t + half] = values[first + half];

  for (int size = 2; size < length; size *= 2)
    merge_steps(key, value, t, size / 2, (t & (size / 2)) != 0);
  merge_steps(key, value, t, length / 2, direction);
  __syncthreads();

  to_keys[first] = key[t];
  to_values[first] = value[t];
  to_keys[first + half] = key[t + half];
  to_values[first + half] = value[t + half];
}

int main(int argc, char **argv)
{
  const unsigned block = bench_block(BLOCK_MOST);
  const int length = 2 * (int)block;
  const int n = (bench_is_paper(argc, argv) ? 32 : 4) * CHUNK_MOST;
  KEY *const keys = simt_alloc(n * sizeof *keys);
  KEY *const values = simt_alloc(n * sizeof *values);
  KEY *const to_keys = simt_alloc(n * sizeof *to_keys);
  KEY *const to_values = simt_alloc(n * sizeof *to_values);
  bitonic_fill(n, keys, values);

  int passed =
      suite_launch(bitonic_sort_small, dim3(n / length), dim3(block), CHUNK_BYTES, .to_keys = to_keys,
                   .to_values = to_values, .keys = keys, .values = values, .length = length, .direction = 1) == SIMT_OK;
  for (int i = 0; i < n; i += length)
    passed &= bitonic_is_sorted(length, to_keys + i, to_values + i, bitonic_sum(length, keys + i, values + i));
  return bench_verdict("BitonicSortSmall", passed);
}
