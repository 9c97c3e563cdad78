#include "launch.h"
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  int v = i + 1;
  while (data[v] != v / 2) { // race
    const int next = data[v] / 2;
    data[v] = next; // race
    v = next;
  }
}
LAUNCH(k, 2, 64, 256)
