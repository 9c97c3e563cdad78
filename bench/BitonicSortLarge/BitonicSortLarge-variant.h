// Sorting of one large array of KEY and value pairs: chunks are sorted in shared memory, in alternating
// order, and merged; of a merge, strides within a chunk are done in shared memory as well.

#include "../common/bitonic-variant.h"

// One step of the merge of bitonic sequences of `size` elements, one pair of elements per thread.
SIMT_KERNEL(bitonic_merge_global, (unsigned, size), (unsigned, stride), (KEY *, keys), (int *, values))
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned p = pair_position(i, stride);
  compare_exchange(&keys[p], &values[p], &keys[p + stride], &values[p + stride], (i & (size / 2)) != 0);
}

// The remaining steps of such a merge, from the stride of half a chunk on.
SIMT_KERNEL(bitonic_merge_chunk, (unsigned, size), (KEY *, keys), (int *, values))
{
  SIMT_SHARED(KEY, key, CHUNK);
  SIMT_SHARED(int, value, CHUNK);
  const unsigned base = blockIdx.x * CHUNK;

  copy_chunk(threadIdx, blockDim, key, value, keys + base, values + base);
  merge_in_chunk(threadIdx, blockDim, key, value, base / 2, size, CHUNK / 2);
  __syncthreads();
  copy_chunk(threadIdx, blockDim, keys + base, values + base, key, value);
}

// The last merge, of the whole array, is ascending: no index of a pair has the bit of half its size.
static int bitonic_sort(unsigned n, KEY *keys, int *values)
{
  const dim3 chunks = dim3(n / CHUNK);
  const dim3 chunk_block = dim3(bench_block(CHUNK / 2));
  const dim3 block = dim3(bench_block(256));

  int status = simt_launch_shared(bitonic_sort_chunk, chunks, chunk_block, CHUNK_BYTES, .alternate = 1, .keys = keys,
                                  .values = values);
  for (unsigned size = 2 * CHUNK; size <= n && status == SIMT_OK; size *= 2) {
    for (unsigned stride = size / 2; stride >= CHUNK && status == SIMT_OK; stride /= 2)
      status = simt_launch(bitonic_merge_global, dim3(n / 2 / block.x), block, .size = size, .stride = stride,
                           .keys = keys, .values = values);
    if (status == SIMT_OK)
      status = simt_launch_shared(bitonic_merge_chunk, chunks, chunk_block, CHUNK_BYTES, .size = size, .keys = keys,
                                  .values = values);
  }
  return status;
}

int main(int argc, char **argv)
{
  const unsigned n = bench_is_paper(argc, argv) ? 1 << 18 : 1 << 13;
  KEY *const keys = simt_alloc(n * sizeof *keys);
  KEY *const original = simt_alloc(n * sizeof *original);
  int *const values = simt_alloc(n * sizeof *values);
  bitonic_fill(n, keys, original, values);

  const int passed = bitonic_sort(n, keys, values) == SIMT_OK && bitonic_is_sorted(n, keys, original, values, 0);
  return bench_verdict(NAME, passed);
}
