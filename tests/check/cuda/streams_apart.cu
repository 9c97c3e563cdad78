#include <cstdlib>
__global__ void a(int *d)
{
  d[threadIdx.x] = threadIdx.x; // race
}
__global__ void b(const int *d, int *e)
{
  e[threadIdx.x] = d[threadIdx.x + 1]; // race
}
int main()
{
  int *d, *e, *host;
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaMalloc(&d, 1024);
  cudaMalloc(&e, 1024);
  cudaMallocHost(&host, 1024);
  cudaMemset(d, 0, 1024);
  a<<<1, 64, 0, s>>>(d);
  b<<<1, 60, 0, t>>>(d, e);
  cudaDeviceSynchronize();
  cudaFree(d);
  cudaFree(e);
  cudaFreeHost(host);
}
