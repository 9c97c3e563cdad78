#include "simt.h"

SIMT_KERNEL(kernel, (int *, data))
{
  const int t = blockIdx.x * 128 + threadIdx.x;
  int flag;
  __asm__ volatile("mv %0, s11" : "=r"(flag)); // s11 is nobody's
  if (flag != 12345)                           // uninitialised register
    data[t] = 1;
}

int main(void)
{
  int *data = simt_alloc(1024 * sizeof *data);
  for (int i = 0; i < 1024; i++)
    data[i] = 0;
  return simt_launch(kernel, dim3(2), dim3(128), .data = data) != SIMT_OK;
}
