#include "simt.h"
/* Every thread of a warp has the warp's number of turns, and the warps have different ones. */
SIMT_KERNEL(kernel, (int *, data)) // barrier deadlock
{
  const unsigned turns = 1 + threadIdx.x / 32;
  for (unsigned i = 0; i < turns; i++) {
    data[threadIdx.x] += i;
    simt_barrier(); // barrier mismatch
  }
}
int main(void)
{
  int *data = simt_alloc(64 * sizeof *data);
  return simt_launch(kernel, dim3(1), dim3(64), .data = data) != SIMT_OK;
}
