#include "simt.h"
/* Lanes of one warp are at two barriers. */
SIMT_KERNEL(kernel, (int *, data))
{
  const unsigned t = threadIdx.x;
  if (t % 2 != 0) {
    data[t] = 1;
    simt_barrier(); // barrier divergence
    data[t] += 5;
  } else {
    data[t] = 2;
    data[t + 64] = 1;
    simt_barrier(); // barrier divergence
  }
  data[t + 128] = 1;
}
int main(void)
{
  int *data = simt_alloc(256 * sizeof *data);
  return simt_launch(kernel, dim3(1), dim3(64), .data = data) != SIMT_OK;
}
