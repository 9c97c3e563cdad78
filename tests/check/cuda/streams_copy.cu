#include <cstdlib>
__global__ void a(int *d)
{
  d[threadIdx.x] = threadIdx.x; // race
}
int main()
{
  int *d, *host;
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaMalloc(&d, 1024);
  cudaMallocHost(&host, 1024);
  a<<<1, 64, 0, s>>>(d);
  cudaMemcpyAsync(host, d, 256, cudaMemcpyDeviceToHost, t);
  cudaDeviceSynchronize();
  cudaMemcpyAsync(d, host, 256, cudaMemcpyHostToDevice, t);
  a<<<1, 64>>>(d);
  cudaDeviceSynchronize();
  cudaFree(d);
  cudaFreeHost(host);
}
