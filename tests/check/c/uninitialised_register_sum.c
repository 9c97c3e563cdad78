#include "simt.h"

SIMT_KERNEL(kernel, (int *, data))
{
  const int t = threadIdx.x;
  int sum;
  for (int i = 0; i < 8; i++)
    sum += data[1024 + i * 128 + t];
  data[blockIdx.x * 128 + t] = sum; // uninitialised register
}

int main(void)
{
  int *data = simt_alloc(2048 * sizeof *data);
  for (int i = 0; i < 2048; i++)
    data[i] = i;
  return simt_launch(kernel, dim3(2), dim3(128), .data = data) != SIMT_OK;
}
