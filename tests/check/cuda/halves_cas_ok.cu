#include "launch.h"
__device__ void add(unsigned short *a, unsigned short v)
{
  unsigned short old = *a, seen;
  do {
    seen = old;
    old = atomicCAS(a, seen, (unsigned short)(seen + v));
  } while (seen != old);
}
__global__ void k(int *data, int n)
{
  unsigned short *h = (unsigned short *)data;
  add(&h[threadIdx.x % 5], threadIdx.x);
}
LAUNCH(k, 2, 64, 256)
