// Matrix transposition through square tiles in shared memory, so that rows are both read and written.

#include "../common/bench.h"

// The grid covers the matrix with tiles as wide as a block; a block passes over its tile row by row.
SIMT_KERNEL(transpose, (int, width), (int, height), (const int *, in), (int *, out))
{
  const int side = blockDim.x;
  const int pitch = side + 1; // keeps the elements of a column in different banks
  const int words = side * pitch;
  SIMT_SHARED(int, tile, words);
  const int x = blockIdx.x * side;
  const int y = blockIdx.y * side;

  for (int row = threadIdx.y; row < side; row += blockDim.y)
    tile[row * pitch + threadIdx.x] = in[(y + row) * width + x + threadIdx.x];
  __syncthreads();

  for (int row = threadIdx.y; row < side; row += blockDim.y)
    out[(x + row) * height + y + threadIdx.x] = tile[threadIdx.x * pitch + row];
}

int main(int argc, char **argv)
{
  const int paper = bench_is_paper(argc, argv);
  const int width = paper ? 512 : 256;
  const int height = paper ? 512 : 64;
  int *const in = simt_alloc(width * height * sizeof *in);
  int *const out = simt_alloc(width * height * sizeof *out);
  for (int i = 0; i < width * height; i++)
    in[i] = bench_random();

  const dim3 block = bench_block_2d(32, 8);
  const size_t shared = block.x * (block.x + 1) * sizeof *in;
  int passed = simt_launch_shared(transpose, dim3(width / block.x, height / block.x), block, shared, .width = width,
                                  .height = height, .in = in, .out = out) == SIMT_OK;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      passed &= out[x * height + y] == in[y * width + x];
  return bench_verdict("Transpose", passed);
}
