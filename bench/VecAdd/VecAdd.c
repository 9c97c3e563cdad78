// Addition of two vectors.

#include "../common/suite.h"

SIMT_KERNEL(vec_add, (int, n), (const int *, a), (const int *, b), (int *, c))
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
  const int n = bench_is_paper(argc, argv) ? 1000000 : 3000;
  int *const a = simt_alloc(n * sizeof *a);
  int *const b = simt_alloc(n * sizeof *b);
  int *const c = simt_alloc(n * sizeof *c);
  struct suite_random random = {1};
  for (int i = 0; i < n; i++) {
    a[i] = suite_next(&random);
    b[i] = suite_next(&random);
  }

  const dim3 block = dim3(bench_block(SUITE_THREADS));
  int passed = simt_launch(vec_add, dim3(1), block, .n = n, .a = a, .b = b, .c = c) == SIMT_OK;
  for (int i = 0; i < n; i++)
    passed &= c[i] == (int)((unsigned)a[i] + (unsigned)b[i]);
  return bench_verdict("VecAdd", passed);
}
