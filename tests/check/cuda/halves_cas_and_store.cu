#include "launch.h"
__device__ void add(unsigned short *a, unsigned short v)
{
  unsigned short old = *a, seen; // race
  do {
    seen = old;
    old = atomicCAS(a, seen, (unsigned short)(seen + v)); // race
  } while (seen != old);
}
__global__ void k(int *data, int n)
{
  unsigned short *h = (unsigned short *)data;
  if (threadIdx.x % 2)
    add(&h[threadIdx.x % 5], threadIdx.x);
  else
    h[threadIdx.x % 7] = threadIdx.x; // race
}
LAUNCH(k, 1, 64, 256)
