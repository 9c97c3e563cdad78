#include "simt.h"
SIMT_KERNEL(kernel, (int *, data))
{
  const unsigned t = threadIdx.x;
  if (t < 32) {
    data[t] = 1;
    simt_barrier(); // barrier mismatch
    data[t] += 5;
  } else {
    data[t] = 2;
    data[t + 64] = 1;
    simt_barrier(); // barrier mismatch
  }
  data[t + 128] = 1;
}
int main(void)
{
  int *data = simt_alloc(256 * sizeof *data);
  return simt_launch(kernel, dim3(1), dim3(64), .data = data) != SIMT_OK;
}
