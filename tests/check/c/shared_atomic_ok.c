#include "simt.h"

SIMT_KERNEL(kernel, (int *, data))
{
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  SIMT_SHARED(int, count, 1);
  if (t == 0)
    *count = 0;
  simt_barrier();
  atomicAdd(count, 1);
  simt_barrier();
  data[i] = *count;
}

int main(void)
{
  int *data = simt_alloc(1024 * sizeof *data);
  for (int i = 0; i < 1024; i++)
    data[i] = i;
  return simt_launch(kernel, dim3(2), dim3(128), .data = data) != SIMT_OK;
}
