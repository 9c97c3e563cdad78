// Histogram of a byte array, counted with atomic additions in shared memory.

#include "../common/bench.h"

enum { BINS = 256 };

// One block, because memory that blocks share has no atomic operations.
SIMT_KERNEL(histogram, (int, n), (const uint8_t *, in), (int *, out))
{
  SIMT_SHARED(int, bins, BINS);
  for (int i = threadIdx.x; i < BINS; i += blockDim.x)
    bins[i] = 0;
  __syncthreads();

  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&bins[in[i]], 1);
  __syncthreads();

  for (int i = threadIdx.x; i < BINS; i += blockDim.x)
    out[i] = bins[i];
}

int main(int argc, char **argv)
{
  const int n = bench_is_paper(argc, argv) ? 1000000 : 3000;
  uint8_t *const in = simt_alloc(n);
  int *const out = simt_alloc(BINS * sizeof *out);
  for (int i = 0; i < n; i++)
    in[i] = (uint8_t)bench_random();

  int passed = simt_launch(histogram, dim3(1), dim3(bench_threads()), .n = n, .in = in, .out = out) == SIMT_OK;
  int expected[BINS] = {0};
  for (int i = 0; i < n; i++)
    expected[in[i]]++;
  for (int i = 0; i < BINS; i++)
    passed &= out[i] == expected[i];
  return bench_verdict("Histogram", passed);
}
