// Five-point stencil on vertical stripes of an image: a block walks down its stripe, keeps the rows
// above and below in registers and shares the current row.

#include "../common/stencil-variant.h"

// Blocks are one point wide per thread and `height` points high. The current row alternates between
// two buffers, hence one barrier per row.
SIMT_KERNEL(striped_stencil, (int, height), (int, pitch), (const int *, in), (int *, out))
{
  const int width = blockDim.x;
  SIMT_SHARED(int, buffers, 2 * (width + 2));
  int *row = buffers + 1;
  int *other = row + width + 2;
  const int x = threadIdx.x;
  int point = blockIdx.y * height * pitch + blockIdx.x * width + x;

  int north = in[point - pitch];
  int centre = in[point];
  for (int y = 0; y < height; y++) {
    row[x] = centre;
    SIMT_LEVEL
    if (x == 0) {
      row[-1] = in[point - 1];
      row[width] = in[point + width];
    }
    const int south = in[point + pitch];
    __syncthreads();

    out[point] = centre + row[x - 1] + row[x + 1] + north + south;
    north = centre;
    centre = south;
    point += pitch;
    int *const next = other;
    other = row;
    row = next;
  }
}

int main(int argc, char **argv)
{
  const int side = bench_is_paper(argc, argv) ? 1024 : 64;
  const struct image in = stencil_image(side);
  const struct image out = stencil_image(side);
  stencil_fill(in);

  // Stripes are divided into as many pieces as keep all threads busy, of at least two rows.
  const unsigned block = bench_block(64);
  const unsigned stripes = side / block;
  unsigned pieces = 1;
  while (2 * pieces * stripes <= bench_resident(block) && 4 * pieces <= (unsigned)side)
    pieces *= 2;
  const size_t shared = 2 * (block + 2) * sizeof *in.points;
  const int passed =
      simt_launch_shared(striped_stencil, dim3(stripes, pieces), dim3(block), shared, .height = side / pieces,
                         .pitch = in.pitch, .in = in.points, .out = out.points) == SIMT_OK &&
      stencil_check(in, out);
  return bench_verdict("StripedStencil", passed);
}
