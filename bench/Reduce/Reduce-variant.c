// Sum of a vector: every thread adds up a part, every block reduces its threads' sums in a tree.

#include "../common/bench.h"

SIMT_KERNEL(reduce, (int, n), (const int *, in), (int *, out))
{
  SIMT_SHARED(int, sums, blockDim.x);
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  sums[threadIdx.x] = sum;

  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = sums[0];
}

int main(int argc, char **argv)
{
  const int n = bench_is_paper(argc, argv) ? 1000000 : 3000;
  const unsigned block = bench_block(256);
  const unsigned blocks = bench_resident(block);
  int *const in = simt_alloc(n * sizeof *in);
  int *const partial = simt_alloc(blocks * sizeof *partial);
  int *const out = simt_alloc(sizeof *out);
  int expected = 0;
  for (int i = 0; i < n; i++)
    expected += in[i] = bench_random() % 1024;

  const int passed =
      simt_launch(reduce, dim3(blocks), dim3(block), .n = n, .in = in, .out = partial) == SIMT_OK &&
      simt_launch(reduce, dim3(1), dim3(bench_block(blocks)), .n = blocks, .in = partial, .out = out) == SIMT_OK &&
      *out == expected;
  return bench_verdict("Reduce", passed);
}
