#include "simt.h"

SIMT_KERNEL(kernel, (int *, data))
{
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  SIMT_SHARED(int, s, 128);
  s[t] = data[i];
  simt_barrier();
  for (int d = 64; d > 0; d /= 2)
    if (t < d)
      s[t] += s[t + d]; // race
  if (t == 0)
    data[512 + blockIdx.x] = s[0];
}

int main(void)
{
  int *data = simt_alloc(1024 * sizeof *data);
  for (int i = 0; i < 1024; i++)
    data[i] = i;
  return simt_launch(kernel, dim3(2), dim3(128), .data = data) != SIMT_OK;
}
