#include "simt.h"
/* One barrier in the source, several in the code: an unrolled loop, and a function that is inlined in two branches. */
SIMT_INLINE void meet(int *data, int value)
{
  *data = value;
  simt_barrier();
  *data += 1;
}
SIMT_KERNEL(kernel, (int *, data))
{
  SIMT_SHARED(int, tile, 64);
  int *own = data + 64 * blockIdx.x;
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    tile[threadIdx.x] = i;
    simt_barrier();
    own[threadIdx.x] += tile[63 - threadIdx.x];
    simt_barrier();
  }
  if (threadIdx.x < 32)
    meet(&own[threadIdx.x], 5);
  else
    meet(&own[threadIdx.x], 7);
}
int main(void)
{
  int *data = simt_alloc(192 * sizeof *data);
  return simt_launch(kernel, dim3(3), dim3(64), .data = data) != SIMT_OK;
}
