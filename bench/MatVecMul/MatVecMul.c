// Matrix times vector: a warp computes a row's product with coalesced accesses and a tree reduction.

#include "../common/suite.h"

SUITE_KERNEL(mat_vec_mul, (int, width), (int, height), (const int *, matrix), (const int *, vector), (int *, out))
{
  SUITE_SHARED(int, partial, blockDim.x);
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  for (int y = blockIdx.x; y < height; y += gridDim.x) {
    int sum = 0;
    for (int x = t; x < width; x += threads)
      sum += matrix[y * width + x] * vector[x];
    partial[t] = sum;

    for (int half = threads / 2; half > 0; half /= 2) {
      __syncthreads();
      if (t < half)
        partial[t] += partial[t + half];
    }
    if (t == 0)
      out[y] = partial[0];
    simt_converge();
  }
}

int main(int argc, char **argv)
{
  const int paper = bench_is_paper(argc, argv);
  const int width = paper ? 1024 : 128;
  const int height = paper ? 1024 : 64;
  int *const matrix = simt_alloc(width * height * sizeof *matrix);
  int *const vector = simt_alloc(width * sizeof *vector);
  int *const out = simt_alloc(height * sizeof *out);
  struct suite_random random = {1};
  for (int i = 0; i < width; i++)
    vector[i] = suite_next(&random) & 0xFF;
  for (int i = 0; i < width * height; i++)
    matrix[i] = suite_next(&random) & 0xFF;

  const unsigned block = bench_block(32);
  int passed = suite_launch(mat_vec_mul, dim3(bench_resident(block)), dim3(block), sizeof(int[block]), .width = width,
                            .height = height, .matrix = matrix, .vector = vector, .out = out) == SIMT_OK;
  for (int y = 0; y < height; y++) {
    int sum = 0;
    for (int x = 0; x < width; x++)
      sum += matrix[y * width + x] * vector[x];
    passed &= out[y] == sum;
  }
  return bench_verdict("MatVecMul", passed);
}
