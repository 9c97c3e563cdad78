// Sorting of many arrays that fit into shared memory, by a bitonic network per block.

#define KEY int
#include "../common/bitonic-variant.h"

int main(int argc, char **argv)
{
  const int arrays = bench_is_paper(argc, argv) ? 32 : 4;
  const int n = arrays * CHUNK;
  KEY *const keys = simt_alloc(n * sizeof *keys);
  KEY *const original = simt_alloc(n * sizeof *original);
  int *const values = simt_alloc(n * sizeof *values);
  bitonic_fill(n, keys, original, values);

  int passed = simt_launch_shared(bitonic_sort_chunk, dim3(arrays), dim3(bench_block(CHUNK / 2)), CHUNK_BYTES,
                                  .alternate = 0, .keys = keys, .values = values) == SIMT_OK;
  for (int base = 0; base < n; base += CHUNK)
    passed &= bitonic_is_sorted(CHUNK, keys + base, original + base, values + base, base);
  return bench_verdict("BitonicSortSmall", passed);
}
