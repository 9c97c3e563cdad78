// A sum of products over samples for each point of an image, as in magnetic resonance imaging.

#include "r2d2.h"

SIMT_KERNEL(image, (int, samples), (const float *, kx), (const float *, ky), (const float *, kz),
            (const float *, weight), (const float *, x), (const float *, y), (const float *, z), (float *, q))
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float own_x = x[i], own_y = y[i], own_z = z[i];
  float sum = q[i];
  for (int k = 0; k < samples; k++) {
    const float phase = kx[k] * own_x + ky[k] * own_y + kz[k] * own_z;
    sum += weight[k] * (1.0f - 0.5f * phase * phase);
  }
  q[i] = sum;
}
