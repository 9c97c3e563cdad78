#include "launch.h"
/* The right loop of bounds_local_loop.cu. One past the end of an array is an address, and no access. */
__device__ int sum(const int *begin, const int *end)
{
  int all = 0;
  for (; begin != end; begin++)
    all += *begin;
  return all;
}
__global__ void k(int *data, int n)
{
  int l[8], m[4][3];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++)
      m[i][j] = i * n + j;
  for (int i = 0; i < 8; i++)
    l[i] = i * n;
  if (threadIdx.x == 0)
    data[0] = sum(l, &l[n]) + m[n / 4][n / 8];
}
LAUNCH(k, 1, 32, 8)
