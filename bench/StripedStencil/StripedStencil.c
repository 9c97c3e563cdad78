// Five-point stencil on stripes of an image: a block walks along some rows with three tiles of them in shared memory.

#include "../common/stencil.h"

enum { WIDTH = 32, HEIGHT = 4 };

// In each row of shared memory there are the points left of the current ones, these, and the points right of them.
SUITE_KERNEL(striped_stencil, (unsigned, x_size), (int *, out), (const int *, in))
{
  SUITE_SHARED(int[3 * WIDTH], rows, blockDim.y);
  const unsigned tx = threadIdx.x;
  const unsigned ty = threadIdx.y;
  const unsigned width = blockDim.x;
  const unsigned middle = width + tx;
  int *const row = rows[ty];
  unsigned i = (blockIdx.y * blockDim.y + ty) * x_size + tx;

  row[tx] = 0;
  row[middle] = in[i];
  for (unsigned x = 0; x < x_size; x += width) {
    row[middle + width] = x + width == x_size ? 0 : in[i + width];
    __syncthreads();

    int above, below;
    if (ty != 0)
      above = rows[ty - 1][middle];
    else
      above = blockIdx.y == 0 ? 0 : in[i - x_size];
    if (ty != blockDim.y - 1)
      below = rows[ty + 1][middle];
    else
      below = blockIdx.y == gridDim.y - 1 ? 0 : in[i + x_size];
    out[i] = above + below + row[middle - 1] + row[middle] + row[middle + 1];
    __syncthreads();

    row[tx] = row[middle];
    row[middle] = row[middle + width];
    i += width;
  }
}

int main(int argc, char **argv)
{
  const int side = bench_is_paper(argc, argv) ? 1024 : 64;
  int *const in = stencil_image(side);
  int *const out = stencil_image(side);
  stencil_fill(side, in);

  const dim3 block = bench_block_2d(WIDTH, HEIGHT);
  const int passed = suite_launch(striped_stencil, dim3(1, side / block.y), block, sizeof(int[3 * WIDTH]) * block.y,
                                  .x_size = side, .out = out, .in = in) == SIMT_OK &&
                     stencil_check(side, in, out);
  return bench_verdict("StripedStencil", passed);
}
