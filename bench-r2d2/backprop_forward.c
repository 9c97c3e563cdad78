// Backpropagation, forward pass of a layer: products of a tile of 16 x 16 weights, reduced by halves in shared memory.

#include "r2d2.h"

SIMT_KERNEL(layer_forward, (const float *, input), (float *, hidden), (float *, sums), (int, hid))
{
  SIMT_SHARED(float, node, 16);
  SIMT_SHARED(float, weight, 256);
  const int tx = threadIdx.x, ty = threadIdx.y, by = blockIdx.y;
  const int index = (hid + 1) * 16 * by + (hid + 1) * ty + tx + 1 + (hid + 1);
  if (tx == 0)
    node[ty] = input[16 * by + ty + 1];
  __syncthreads();
  weight[16 * ty + tx] = hidden[index] * node[ty];
  __syncthreads();
  for (int step = 2; step <= 16; step *= 2) {
    if (ty % step == 0)
      weight[16 * ty + tx] += weight[16 * (ty + step / 2) + tx];
    __syncthreads();
  }
  hidden[index] = weight[16 * ty + tx];
  if (tx == 0)
    sums[by * hid + ty] = weight[16 * tx + ty];
}
