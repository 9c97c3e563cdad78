#include "launch.h"
struct array {
  int *data, n;
};
__global__ void sum(struct array a)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int old = a.data[0], before;
  do {
    before = old;
    old = atomicCAS(a.data, before, before + i);
  } while (old != before);
}
int main()
{
  struct array a = {NULL, 256};
  cudaMalloc(&a.data, 1024);
  cudaMemset(a.data, 0, 1024);
  sum<<<2, 64>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a.data);
}
