#include "launch.h"
__device__ void max8(unsigned char *a, unsigned char v)
{
  unsigned *base = (unsigned *)((size_t)a & ~(size_t)3);
  const unsigned shift = ((size_t)a & 3) * 8;
  unsigned old = *base, seen; // race
  do {
    seen = old;
    old = atomicCAS(base, seen, (seen & ~(0xffu << shift)) | (unsigned)v << shift); // race
  } while (seen != old);
}
__global__ void k(int *data, int n)
{
  unsigned char *h = (unsigned char *)data;
  if (blockIdx.x == 0)
    max8(&h[threadIdx.x % 7], threadIdx.x);
  else
    h[threadIdx.x % 5] = threadIdx.x % 5 + n; // race
}
LAUNCH(k, 2, 64, 256)
