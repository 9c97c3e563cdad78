// A seven-point stencil in three dimensions; each thread walks up a column, two columns at a time.

#include "r2d2.h"

SIMT_KERNEL(hybrid, (float, c0), (float, c1), (const float *, a), (float *, b), (int, nx), (int, ny), (int, nz))
{
  const int i = blockIdx.x * blockDim.x * 2 + threadIdx.x, i2 = i + blockDim.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || j >= ny - 1 || i2 >= nx - 1)
    return;
#define AT(x, y, z) ((x) + nx * ((y) + ny * (z)))
  for (int k = 1; k < nz - 1; k++) {
    b[AT(i, j, k)] = c1 * (a[AT(i, j, k + 1)] + a[AT(i, j, k - 1)] + a[AT(i, j + 1, k)] + a[AT(i, j - 1, k)] +
                           a[AT(i + 1, j, k)] + a[AT(i - 1, j, k)]) -
                     a[AT(i, j, k)] * c0;
    b[AT(i2, j, k)] = c1 * (a[AT(i2, j, k + 1)] + a[AT(i2, j, k - 1)] + a[AT(i2, j + 1, k)] + a[AT(i2, j - 1, k)] +
                            a[AT(i2 + 1, j, k)] + a[AT(i2 - 1, j, k)]) -
                      a[AT(i2, j, k)] * c0;
  }
}
