#include "simt.h"

SIMT_KERNEL(kernel, (int *, data))
{
  const int t = threadIdx.x;
  if (t < 4)
    data[1000 + blockIdx.x] = 7 * t + 1; // race
}

int main(void)
{
  int *data = simt_alloc(1024 * sizeof *data);
  return simt_launch(kernel, dim3(2), dim3(128), .data = data) != SIMT_OK;
}
