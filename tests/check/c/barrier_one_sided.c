#include "simt.h"
/* Only odd lanes of each warp come to the first barrier. */
SIMT_KERNEL(kernel, (int *, data))
{
  const unsigned t = threadIdx.x;
  data[t] = 1;
  if (t % 2 != 0) {
    simt_barrier(); // barrier divergence
    data[t] += 5;
  }
  simt_barrier(); // barrier divergence
  data[t + 128] = 1;
}
int main(void)
{
  int *data = simt_alloc(256 * sizeof *data);
  return simt_launch(kernel, dim3(1), dim3(64), .data = data) != SIMT_OK;
}
