// Five-point stencil on blocks of an image in shared memory; neighbours in other blocks are read from the image.

#include "../common/stencil.h"

enum { WIDTH = 32, HEIGHT = 64 };

// The grid covers the image with blocks of one point per thread.
SUITE_KERNEL(blocked_stencil, (int, x_size), (int, y_size), (int *, out), (const int *, in))
{
  SUITE_SHARED(int[WIDTH], tile, blockDim.y);
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int x = (int)(blockIdx.x * blockDim.x) + tx;
  const int y = (int)(blockIdx.y * blockDim.y) + ty;
  const int i = y * x_size + x;

  tile[ty][tx] = in[i];
  __syncthreads();

  int sum = tile[ty][tx];
  if (x < x_size - 1) {
    if (tx == (int)blockDim.x - 1)
      sum += in[i + 1];
    else
      sum += tile[ty][tx + 1];
  }
  simt_converge();
  if (x > 0) {
    if (tx == 0)
      sum += in[i - 1];
    else
      sum += tile[ty][tx - 1];
  }
  simt_converge();
  if (y < y_size - 1) {
    if (ty == (int)blockDim.y - 1)
      sum += in[(y + 1) * x_size + x];
    else
      sum += tile[ty + 1][tx];
  }
  simt_converge();
  if (y > 0) {
    if (ty == 0)
      sum += in[(y - 1) * x_size + x];
    else
      sum += tile[ty - 1][tx];
  }
  simt_converge();
  out[i] = sum;
}

int main(int argc, char **argv)
{
  const int side = bench_is_paper(argc, argv) ? 1024 : 64;
  int *const in = stencil_image(side);
  int *const out = stencil_image(side);
  stencil_fill(side, in);

  const dim3 block = bench_block_2d(WIDTH, HEIGHT);
  const int passed =
      suite_launch(blocked_stencil, dim3(side / block.x, side / block.y), block, sizeof(int[WIDTH]) * block.y,
                   .x_size = side, .y_size = side, .out = out, .in = in) == SIMT_OK &&
      stencil_check(side, in, out);
  return bench_verdict("BlockedStencil", passed);
}
