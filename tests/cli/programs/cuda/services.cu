/* printf, malloc and free of kernels, and a failed assert. The exit status says whether all is right. */
#include <cassert>
#include <cstdio>
__global__ void p(int v)
{
  if (threadIdx.x < 2)
    printf("[%d, %d]:\t\tValue is:%d %5.2f %s %c %x %lld %%\n", blockIdx.x, threadIdx.x, v, 3.14159f, "str",
           'A' + threadIdx.x, 255, 1LL << 40);
}
__global__ void a(int N)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < N);
}
__global__ void m(int **out)
{
  int *p = (int *)malloc(64);
  p[0] = threadIdx.x;
  out[threadIdx.x] = p;
  __syncthreads();
  int s = 0;
  for (int i = 0; i < 32; i++)
    s += out[i][0];
  __syncthreads();
  free(p);
  if (threadIdx.x == 0)
    out[40] = (int *)(long)s;
}
int main()
{
  p<<<2, 4>>>(10);
  cudaDeviceSynchronize();
  int **d;
  cudaMalloc(&d, 41 * 8);
  m<<<1, 32>>>(d);
  long s = 0;
  cudaMemcpy(&s, &d[40], 8, cudaMemcpyDeviceToHost);
  a<<<2, 32>>>(60);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%ld %s: %s\n", s, cudaGetErrorName(e), cudaGetErrorString(e));
  bool ok = e == cudaErrorAssert && s == 496;
  printf("%s\n", ok ? "PASS" : "FAIL");
  return !ok;
}
