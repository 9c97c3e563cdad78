// Sorting of one large array of KEY and value pairs: chunks are sorted in shared memory, in alternating order, and
// merged; of a merge, strides within a chunk are done in shared memory as well.

#define BLOCK_MOST SUITE_THREADS
#include "../common/bitonic.h"

// A block sorts a chunk of two elements per thread, chunks of odd number upwards.
SUITE_KERNEL(bitonic_sort_chunk, (KEY *, to_keys), (KEY *, to_values), (const KEY *, keys), (const KEY *, values))
{
  SUITE_SHARED(KEY, key, CHUNK_MOST);
  SUITE_SHARED(KEY, value, CHUNK_MOST);
  const int t = threadIdx.x;
  const int half = blockDim.x;
  const int chunk = 2 * half;
  const int first = (int)blockIdx.x * chunk + t;

  key[t] = keys[first];
  value[t] = values[first];
  key[t + half] = keys[first + half];
  value[t + half] = values[first + half];

  const int g = (half * (int)blockIdx.x + t) & (half - 1);
  for (int size = 2; size < chunk; size *= 2)
    merge_steps(key, value, t, size / 2, (g & (size / 2)) != 0);
  merge_steps(key, value, t, half, (int)blockIdx.x & 1);
  __syncthreads();

  to_keys[first] = key[t];
  to_values[first] = value[t];
  to_keys[first + half] = key[t + half];
  to_values[first + half] = value[t + half];
}

// One step of the merge of bitonic sequences of `size` elements in memory, the whole array of n elements in the given
// direction.
SUITE_KERNEL(bitonic_merge_global, (KEY *, to_keys), (KEY *, to_values), (const KEY *, keys), (const KEY *, values),
             (int, n), (int, size), (int, stride), (int, direction))
{
  const int g = (int)(blockDim.x * blockIdx.x) + (int)threadIdx.x;
  const int own = direction ^ ((g & (n / 2 - 1) & (size / 2)) != 0);
  const int p = pair_position(g, stride);
  KEY key_a = keys[p];
  KEY value_a = values[p];
  KEY key_b = keys[p + stride];
  KEY value_b = values[p + stride];
  if ((key_a > key_b) == own) {
    const KEY key = key_a;
    key_a = key_b;
    key_b = key;
    const KEY value = value_a;
    value_a = value_b;
    value_b = value;
  }
  simt_converge();
  to_keys[p] = key_a;
  to_values[p] = value_a;
  to_keys[p + stride] = key_b;
  to_values[p + stride] = value_b;
}

// The remaining steps of such a merge, from a stride within a chunk on.
SUITE_KERNEL(bitonic_merge_chunk, (KEY *, to_keys), (KEY *, to_values), (const KEY *, keys), (const KEY *, values),
             (int, n), (int, stride), (int, size), (int, direction))
{
  SUITE_SHARED(KEY, key, CHUNK_MOST);
  SUITE_SHARED(KEY, value, CHUNK_MOST);
  const int t = threadIdx.x;
  const int half = blockDim.x;
  const int first = (int)blockIdx.x * 2 * half + t;

  key[t] = keys[first];
  value[t] = values[first];
  key[t + half] = keys[first + half];
  value[t + half] = values[first + half];

  const int g = half * (int)blockIdx.x + t;
  merge_steps(key, value, t, stride, direction ^ ((g & (n / 2 - 1) & (size / 2)) != 0));
  __syncthreads();

  to_keys[first] = key[t];
  to_values[first] = value[t];
  to_keys[first + half] = key[t + half];
  to_values[first + half] = value[t + half];
}

static int bitonic_sort(int n, KEY *to_keys, KEY *to_values, const KEY *keys, const KEY *values)
{
  const dim3 block = dim3(bench_block(BLOCK_MOST));
  const int chunk = 2 * (int)block.x;
  const dim3 chunks = dim3(n / chunk);

  int status = suite_launch(bitonic_sort_chunk, chunks, block, CHUNK_BYTES, .to_keys = to_keys, .to_values = to_values,
                            .keys = keys, .values = values);
  for (int size = 2 * chunk; size <= n && status == SIMT_OK; size *= 2) {
    int stride = size / 2;
    for (; stride >= chunk && status == SIMT_OK; stride /= 2)
      status =
          suite_launch(bitonic_merge_global, chunks, block, 0, .to_keys = to_keys, .to_values = to_values,
                       .keys = to_keys, .values = to_values, .n = n, .size = size, .stride = stride, .direction = 1);
    if (status == SIMT_OK)
      status =
          suite_launch(bitonic_merge_chunk, chunks, block, CHUNK_BYTES, .to_keys = to_keys, .to_values = to_values,
                       .keys = to_keys, .values = to_values, .n = n, .stride = stride, .size = size, .direction = 1);
  }
  return status;
}

int main(int argc, char **argv)
{
  const int n = bench_is_paper(argc, argv) ? 1 << 18 : 1 << 13;
  KEY *const keys = simt_alloc(n * sizeof *keys);
  KEY *const values = simt_alloc(n * sizeof *values);
  KEY *const to_keys = simt_alloc(n * sizeof *to_keys);
  KEY *const to_values = simt_alloc(n * sizeof *to_values);
  bitonic_fill(n, keys, values);

  const int passed = bitonic_sort(n, to_keys, to_values, keys, values) == SIMT_OK &&
                     bitonic_is_sorted(n, to_keys, to_values, bitonic_sum(n, keys, values));
  return bench_verdict(NAME, passed);
}
