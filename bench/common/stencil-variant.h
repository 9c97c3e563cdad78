// Test data and check of the five-point stencil: every point becomes the sum of itself and its four
// neighbours. Images have a border of zeros, `pitch` is the distance of two rows.

#ifndef BENCH_STENCIL_H
#define BENCH_STENCIL_H

#include "bench.h"

// Columns left of the first point: a whole 256-byte segment, so that rows start aligned.
enum { MARGIN = 64 };

struct image {
  int side, pitch;
  int *points; // the point (0, 0)
};

static inline struct image stencil_image(int side)
{
  const int pitch = side + 2 * MARGIN;
  int *const base = simt_alloc((side + 2) * pitch * sizeof *base);
  return (struct image){side, pitch, base + pitch + MARGIN};
}

static inline void stencil_fill(struct image image)
{
  for (int y = 0; y < image.side; y++)
    for (int x = 0; x < image.side; x++)
      image.points[y * image.pitch + x] = bench_random() % 1024;
}

static inline int stencil_check(struct image in, struct image out)
{
  int passed = 1;
  for (int y = 0; y < in.side; y++)
    for (int x = 0; x < in.side; x++) {
      const int *const p = in.points + y * in.pitch + x;
      passed &= out.points[y * out.pitch + x] == p[0] + p[-1] + p[1] + p[-in.pitch] + p[in.pitch];
    }
  return passed;
}

#endif
