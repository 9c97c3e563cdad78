// Sum of a vector: every thread of one block adds up a part in shared memory, and a tree adds up the threads' sums.

#include "../common/suite.h"

SUITE_KERNEL(reduce, (int, n), (const int *, in), (int *, out))
{
  SUITE_SHARED(int, sums, SUITE_THREADS);
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  sums[t] = 0;
  for (int i = t; i < n; i += threads)
    sums[t] += in[i];

  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      sums[t] += sums[t + half];
  }
  if (t == 0)
    *out = sums[0];
}

int main(int argc, char **argv)
{
  const int n = bench_is_paper(argc, argv) ? 1000000 : 3000;
  int *const in = simt_alloc(n * sizeof *in);
  int *const out = simt_alloc(sizeof *out);
  struct suite_random random = {1};
  unsigned expected = 0;
  for (int i = 0; i < n; i++)
    expected += in[i] = suite_next(&random);

  const int passed = suite_launch(reduce, dim3(1), dim3(bench_block(SUITE_THREADS)), sizeof(int[SUITE_THREADS]), .n = n,
                                  .in = in, .out = out) == SIMT_OK &&
                     *out == (int)expected;
  return bench_verdict("Reduce", passed);
}
