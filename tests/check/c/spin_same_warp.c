#include "simt.h"

SIMT_KERNEL(kernel, (int *, data))
{
  const int t = threadIdx.x;
  SIMT_SHARED(int, flag, 1);
  if (t == 0)
    *flag = 0;
  simt_barrier();
  while (atomicAdd(flag, 0) == 0) // SIMT deadlock
    ;
  if (t == 0)
    atomicExch(flag, 1);
  data[blockIdx.x * 128 + t] = t;
}

int main(void)
{
  int *data = simt_alloc(1024 * sizeof *data);
  for (int i = 0; i < 1024; i++)
    data[i] = i;
  return simt_launch(kernel, dim3(2), dim3(128), .data = data) != SIMT_OK;
}
