// Noise reduction in an image: gradients to the four neighbours of each point.

#include "r2d2.h"

SIMT_KERNEL(gradients, (float *, east), (float *, west), (float *, north), (float *, south), (const float *, image),
            (float *, c), (int, columns), (int, rows))
{
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int index = columns * 16 * by + 16 * bx + columns * ty + tx;
  const int x = 16 * bx + tx, y = 16 * by + ty;
  const float here = image[index];
  const float n = (y > 0 ? image[index - columns] : here) - here;
  const float s = (y + 1 < rows ? image[index + columns] : here) - here;
  const float w = (x > 0 ? image[index - 1] : here) - here;
  const float e = (x + 1 < columns ? image[index + 1] : here) - here;
  north[index] = n;
  south[index] = s;
  west[index] = w;
  east[index] = e;
  c[index] = n * n + s * s + w * w + e * e;
}
