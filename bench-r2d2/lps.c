// A Laplace solver in three dimensions: plane by plane, with a tile of a plane and its frame in shared memory.

#include "r2d2.h"

SIMT_KERNEL(laplace, (const float *, in), (float *, out), (int, nx), (int, ny), (int, nz))
{
  SIMT_SHARED(float, tile, 34 * 6);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.x * 32 + tx, j = blockIdx.y * 4 + ty, at = (ty + 1) * 34 + tx + 1;
  int index = j * nx + i;
  float below = 0, here = in[index];
  for (int k = 0; k < nz; k++) {
    const float above = k + 1 < nz ? in[index + nx * ny] : 0;
    tile[at] = here;
    if (ty == 0)
      tile[at - 34] = j > 0 ? in[index - nx] : 0;
    if (ty == 3)
      tile[at + 34] = j + 1 < ny ? in[index + nx] : 0;
    if (tx == 0)
      tile[at - 1] = i > 0 ? in[index - 1] : 0;
    if (tx == 31)
      tile[at + 1] = i + 1 < nx ? in[index + 1] : 0;
    __syncthreads();
    out[index] = (tile[at - 1] + tile[at + 1] + tile[at - 34] + tile[at + 34] + below + above) * 0.16666667f;
    __syncthreads();
    below = here;
    here = above;
    index += nx * ny;
  }
}
