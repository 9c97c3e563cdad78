// Backpropagation, adjustment of a layer's weights: the kernel of figures 2, 3 and 7 of the paper.

#include "r2d2.h"

SIMT_KERNEL(adjust_weights, (const float *, delta), (int, hid), (const float *, ly), (int, in), (float *, w),
            (float *, oldw))
{
  const int tx = threadIdx.x, ty = threadIdx.y, by = blockIdx.y;
  const int index = (hid + 1) * 16 * by + (hid + 1) * ty + tx + 1 + (hid + 1);
  const int y = 16 * by + ty + 1, x = tx + 1;
  w[index] += 0.3f * delta[x] * ly[y] + 0.3f * oldw[index];
  oldw[index] = 0.3f * delta[x] * ly[y] + 0.3f * oldw[index];
  __syncthreads();
  if (ty == 0 && by == 0) {
    w[x] += 0.3f * delta[x] + 0.3f * oldw[x] + (float)(in - in);
    oldw[x] = 0.3f * delta[x] + 0.3f * oldw[x];
  }
}
