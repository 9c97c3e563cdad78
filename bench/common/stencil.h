// Test data and check of the five-point stencil: every point becomes the sum of itself and its neighbours, of which
// points of the border have fewer.

#ifndef BENCH_STENCIL_H
#define BENCH_STENCIL_H

#include "suite.h"

static inline int *stencil_image(int side)
{
  return (int *)simt_alloc(side * side * sizeof(int));
}

static inline void stencil_fill(int side, int *image)
{
  struct suite_random random = {1};
  for (int i = 0; i < side * side; i++)
    image[i] = suite_next(&random);
}

static inline int stencil_check(int side, const int *in, const int *out)
{
  int passed = 1;
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      const int *const p = in + y * side + x;
      const int sum = p[0] + (x > 0 ? p[-1] : 0) + (x < side - 1 ? p[1] : 0) + (y > 0 ? p[-side] : 0) +
                      (y < side - 1 ? p[side] : 0);
      passed &= out[y * side + x] == sum;
    }
  return passed;
}

#endif
