#include "simt.h"

SIMT_KERNEL(kernel, (int *, data))
{
  const int t = threadIdx.x;
  volatile int own[8];
  for (int i = 0; i < 7; i++)
    own[i] = t + i;
  data[blockIdx.x * 128 + t] = own[3];
}

int main(void)
{
  int *data = simt_alloc(1024 * sizeof *data);
  for (int i = 0; i < 1024; i++)
    data[i] = 0;
  return simt_launch(kernel, dim3(2), dim3(128), .data = data) != SIMT_OK;
}
