// Five-point stencil on square blocks of an image, which meet their neighbours through a frame of one
// point in shared memory.

#include "../common/stencil-variant.h"

enum { SIDE = 32 };

// The grid covers the image with blocks of one point per thread.
SIMT_KERNEL(blocked_stencil, (int, pitch), (const int *, in), (int *, out))
{
  SIMT_SHARED(int[SIDE + 2], tile, blockDim.y + 2);
  const int x = threadIdx.x + 1;
  const int y = threadIdx.y + 1;
  const int width = blockDim.x;
  const int height = blockDim.y;
  const int point = (blockIdx.y * height + threadIdx.y) * pitch + blockIdx.x * width + threadIdx.x;

  tile[y][x] = in[point];
  SIMT_LEVEL
  if (x == 1) {
    tile[y][0] = in[point - 1];
    tile[y][width + 1] = in[point + width];
  }
  SIMT_LEVEL
  if (y == 1) {
    tile[0][x] = in[point - pitch];
    tile[height + 1][x] = in[point + height * pitch];
  }
  __syncthreads();

  out[point] = tile[y][x] + tile[y][x - 1] + tile[y][x + 1] + tile[y - 1][x] + tile[y + 1][x];
}

int main(int argc, char **argv)
{
  const int side = bench_is_paper(argc, argv) ? 1024 : 64;
  const struct image in = stencil_image(side);
  const struct image out = stencil_image(side);
  stencil_fill(in);

  const dim3 block = bench_block_2d(SIDE, SIDE);
  const size_t shared = sizeof(int[SIDE + 2]) * (block.y + 2);
  const int passed = simt_launch_shared(blocked_stencil, dim3(side / block.x, side / block.y), block, shared,
                                        .pitch = in.pitch, .in = in.points, .out = out.points) == SIMT_OK &&
                     stencil_check(in, out);
  return bench_verdict("BlockedStencil", passed);
}
