// Assigns points to the nearest mean; each feature has its own array.

#include "r2d2.h"

SIMT_KERNEL(assign, (const float *, feature), (const float *, mean), (int, points), (int, means), (int, features),
            (int *, nearest))
{
  const int point = blockDim.x * blockIdx.x + threadIdx.x;
  int index = -1;
  float least = 1e30f;
  if (point >= points)
    return;
  for (int i = 0; i < means; i++) {
    float sum = 0;
    for (int f = 0; f < features; f++) {
      const float d = feature[f * points + point] - mean[i * features + f];
      sum += d * d;
    }
    if (sum < least) {
      least = sum;
      index = i;
    }
  }
  nearest[point] = index;
}
