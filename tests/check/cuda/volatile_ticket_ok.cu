#include "launch.h"
__device__ int tickets;
__device__ volatile int serving;
__global__ void k(int *data, int n)
{
  if (threadIdx.x == 0) {
    const int own = atomicAdd(&tickets, 1);
    while (serving != own)
      ;
    __threadfence();
    data[0] += n;
    __threadfence();
    serving = own + 1;
  }
}
LAUNCH(k, 4, 32, 256)
