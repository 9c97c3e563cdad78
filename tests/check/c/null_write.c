#include "simt.h"

SIMT_KERNEL(kernel, (int *, data))
{
  const int t = threadIdx.x;
  if (t == 5)
    *(volatile int *)(long)(data[0] & 3) = t; // null pointer
}

int main(void)
{
  int *data = simt_alloc(1024 * sizeof *data);
  for (int i = 0; i < 1024; i++)
    data[i] = i;
  return simt_launch(kernel, dim3(2), dim3(128), .data = data) != SIMT_OK;
}
