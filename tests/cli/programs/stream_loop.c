// The loop over streams of docs/how-to/kernels.md, for full and partial warps.

#include "simt.h"

#include <stdio.h>

struct arguments {
  struct vx_work work;
  float a;
  const float *x;
  float *y;
};

static void saxpy(const void *argument)
{
  const struct arguments *arg = argument;
  const unsigned n = arg->work.n, harts = arg->work.harts;
  unsigned i = vx_hart_id();
  const struct vx_share share = vx_deal(&arg->work);
  if (share.rounds == 0)
    return;
  SIMT_LOOP_SET(items, 0, share.rounds, share.tail);
  SIMT_STREAM_IN(0, arg->x + i, harts, share.rounds);
  SIMT_STREAM_IN(1, arg->y + i, harts, share.rounds);
  SIMT_STREAM_OUT(2, arg->y + i, harts, share.rounds);
  // clang-format off
  SIMT_LOOP (items, i < n) {
    SIMT_STREAM_MADD(2, arg->a, 0, 1);
  } SIMT_LOOP_WHILE(items, i += harts, i < n);
  // clang-format on
  SIMT_STREAM_END(0);
  SIMT_STREAM_END(1);
  SIMT_STREAM_END(2);
}

int main(void)
{
  unsigned wrong = 0;
  for (unsigned n = 1; n < 600; n += 59) {
    float *const x = simt_alloc(n * sizeof *x), *const y = simt_alloc(n * sizeof *y);
    for (unsigned i = 0; i < n; i++)
      x[i] = i, y[i] = 2 * i;
    vx_run(saxpy, &(struct arguments){vx_divide(n), 3, x, y});
    for (unsigned i = 0; i < n; i++)
      wrong += y[i] != 5.0f * i;
  }
  printf("%u results wrong\n", wrong);
  return wrong != 0;
}
