#include "simt.h"

SIMT_KERNEL(kernel, (int *, data))
{
  const int t = threadIdx.x;
  SIMT_SHARED(int, tile, 128);
  if (t < 64)
    tile[t] = t;
  simt_barrier();
  data[blockIdx.x * 128 + t] = tile[127 - t]; // uninitialised read
}

int main(void)
{
  int *data = simt_alloc(1024 * sizeof *data);
  for (int i = 0; i < 1024; i++)
    data[i] = i;
  return simt_launch(kernel, dim3(2), dim3(128), .data = data) != SIMT_OK;
}
