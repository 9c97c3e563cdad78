#include <cstdlib>
__global__ void k(const int *written, const int *never, int *out, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = written[i];
  if (i < n / 2)
    out[i] += never[i]; // uninitialised read
}
int main()
{
  int *a, *b, *c, *host = (int *)calloc(128, sizeof(int));
  cudaMalloc(&a, 128 * sizeof(int));
  cudaMalloc(&b, 128 * sizeof(int));
  cudaMalloc(&c, 128 * sizeof(int));
  cudaMemcpy(a, host, 128 * sizeof(int), cudaMemcpyHostToDevice);
  k<<<2, 64>>>(a, b, c, 128);
  cudaMemset(b, 0, 128 * sizeof(int));
  k<<<2, 64>>>(a, b, c, 128);
  cudaMemcpy(host, c, 128 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  free(host);
}
