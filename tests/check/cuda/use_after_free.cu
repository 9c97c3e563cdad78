#include "launch.h"
__global__ void k(int *data)
{
  data[threadIdx.x] = 1; // use after free
}
int main()
{
  int *a, *b;
  cudaMalloc(&a, 256);
  cudaMalloc(&b, 256);
  cudaFree(a);
  k<<<1, 32>>>(a);
  cudaDeviceSynchronize();
  cudaFree(b);
}

