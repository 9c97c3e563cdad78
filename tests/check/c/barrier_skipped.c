#include "simt.h"
SIMT_KERNEL(kernel, (int *, data)) // barrier deadlock
{
  data[threadIdx.x] = 1;
  if (threadIdx.x < 32) {
    simt_barrier(); // barrier mismatch
    data[threadIdx.x] = 2;
  }
}
int main(void)
{
  int *data = simt_alloc(64 * sizeof *data);
  return simt_launch(kernel, dim3(1), dim3(64), .data = data) != SIMT_OK;
}
