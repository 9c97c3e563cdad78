#include "simt.h"

struct flags {
  unsigned low : 5, middle : 9, high : 18;
};

__attribute__((noinline)) static int apply(int (*const *f)(int), int a, int b, int c)
{
  return f[0](a) + f[1](b) + a * b + c;
}

__attribute__((noinline)) static int one(int a)
{
  return a + 1;
}

__attribute__((noinline)) static int two(int a)
{
  return a * 2;
}

static int (*const functions[])(int) = {one, two};

SIMT_KERNEL(kernel, (int *, data))
{
  const int t = blockIdx.x * 128 + threadIdx.x;
  struct flags flags; /* its bits are written one after the other */
  int best, found = 0;
  for (int i = 0; i < 8; i++)
    if (!found || data[1024 + i * 128 + threadIdx.x] < best) {
      best = data[1024 + i * 128 + threadIdx.x];
      found = 1;
    }
  flags.low = (unsigned)t;
  flags.middle = (unsigned)best;
  *(volatile struct flags *)&data[t] = flags;
  data[t] = apply(functions, data[t], best, t);
}

int main(void)
{
  int *data = simt_alloc(2048 * sizeof *data);
  for (int i = 0; i < 2048; i++)
    data[i] = i;
  return simt_launch(kernel, dim3(2), dim3(128), .data = data) != SIMT_OK;
}
