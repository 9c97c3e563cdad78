// Matrix times vector: a block computes a row's product with coalesced accesses and a tree reduction.

#include "../common/bench.h"

SIMT_KERNEL(mat_vec_mul, (int, width), (int, height), (const int *, matrix), (const int *, vector), (int *, out))
{
  SIMT_SHARED(int, sums, blockDim.x);
  for (int y = blockIdx.x; y < height; y += gridDim.x) {
    const int *const row = matrix + y * width;
    int sum = 0;
    for (int x = threadIdx.x; x < width; x += blockDim.x)
      sum += row[x] * vector[x];
    sums[threadIdx.x] = sum;

    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
      __syncthreads();
      if (threadIdx.x < half)
        sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
      out[y] = sums[0];
    __syncthreads();
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
  for (int i = 0; i < width * height; i++)
    matrix[i] = bench_random() % 1024;
  for (int i = 0; i < width; i++)
    vector[i] = bench_random() % 1024;

  const unsigned block = bench_block(64);
  int passed = simt_launch(mat_vec_mul, dim3(bench_resident(block)), dim3(block), .width = width, .height = height,
                           .matrix = matrix, .vector = vector, .out = out) == SIMT_OK;
  for (int y = 0; y < height; y++) {
    int sum = 0;
    for (int x = 0; x < width; x++)
      sum += matrix[y * width + x] * vector[x];
    passed &= out[y] == sum;
  }
  return bench_verdict("MatVecMul", passed);
}
