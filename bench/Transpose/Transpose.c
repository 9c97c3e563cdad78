// Matrix transposition through square tiles in shared memory, so that rows are both read and written.

#include "../common/suite.h"

enum { SIDE = 32 };

// The grid covers the matrix with tiles as wide as a block, which passes over its tile row by row. A tile has a column
// more than it needs: it keeps the elements of a column in different banks.
SUITE_KERNEL(transpose, (const int *, in), (int, in_pitch), (int *, out), (int, out_pitch))
{
  SUITE_SHARED(int[SIDE + 1], tile, SIDE);
  const int side = blockDim.x;
  const int t = threadIdx.x;
  const int x = (int)blockIdx.x * side;
  const int y = (int)blockIdx.y * side;

  const int rows = blockDim.y;
  const int *from = in + (y + (int)threadIdx.y) * in_pitch + x + t;
  for (int row = threadIdx.y; row < side; row += rows) {
    tile[row][t] = *from;
    from += rows * in_pitch;
  }
  __syncthreads();

  int *to = out + (x + (int)threadIdx.y) * out_pitch + y + t;
  for (int row = threadIdx.y; row < side; row += rows) {
    *to = tile[t][row];
    to += rows * out_pitch;
  }
}

int main(int argc, char **argv)
{
  const int paper = bench_is_paper(argc, argv);
  const int width = paper ? 512 : 256;
  const int height = paper ? 512 : 64;
  int *const in = simt_alloc(width * height * sizeof *in);
  int *const out = simt_alloc(width * height * sizeof *out);
  struct suite_random random = {1};
  for (int i = 0; i < width * height; i++)
    in[i] = suite_next(&random);

  const dim3 block = bench_block_2d(SIDE, 8);
  int passed = suite_launch(transpose, dim3(width / block.x, height / block.x), block, sizeof(int[SIDE][SIDE + 1]),
                            .in = in, .in_pitch = width, .out = out, .out_pitch = height) == SIMT_OK;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      passed &= out[x * height + y] == in[y * width + x];
  return bench_verdict("Transpose", passed);
}
