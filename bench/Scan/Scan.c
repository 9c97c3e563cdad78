// Inclusive prefix sum by the algorithm of Hillis and Steele: in every step each element adds the one that is twice as
// far away as in the step before.

#include "../common/suite.h"

// One block, a round for as many elements as it has threads. The two buffers change roles in every step.
SUITE_KERNEL(scan, (int, n), (const int *, in), (int *, out))
{
  SUITE_SHARED(int, first, SUITE_THREADS);
  SUITE_SHARED(int, second, SUITE_THREADS);
  int *from = first;
  int *to = second;
  const int t = threadIdx.x;
  const int threads = blockDim.x;

  for (int x = 0; x < n; x += threads) {
    to[t] = in[x + t];
    __syncthreads();

    for (int offset = 1; offset < threads; offset *= 2) {
      int *const swap = from;
      from = to;
      to = swap;
      if (t >= offset)
        to[t] = from[t] + from[t - offset];
      else
        to[t] = from[t];
      __syncthreads();
    }

    const int before = x > 0 ? out[x - 1] : 0;
    out[x + t] = to[t] + before;
  }
}

int main(int argc, char **argv)
{
  const int n = bench_is_paper(argc, argv) ? 1024000 : 4096;
  int *const in = simt_alloc(n * sizeof *in);
  int *const out = simt_alloc(n * sizeof *out);
  struct suite_random random = {1};
  for (int i = 0; i < n; i++)
    in[i] = suite_next(&random);

  const size_t shared = 2 * sizeof(int[SUITE_THREADS]);
  int passed =
      suite_launch(scan, dim3(1), dim3(bench_block(SUITE_THREADS)), shared, .n = n, .in = in, .out = out) == SIMT_OK;
  unsigned prefix = 0;
  for (int i = 0; i < n; i++) {
    prefix += in[i];
    passed &= out[i] == (int)prefix;
  }
  return bench_verdict("Scan", passed);
}
