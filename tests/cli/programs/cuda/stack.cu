// alloca in kernels and in functions: memory of the thread that ends with the function.
#include <cstdio>

__device__ __noinline__ int sum(int n, int seed)
{
  int *a = (int *)__builtin_alloca(n * sizeof(int)), total = 0;
  for (int i = 0; i < n; i++)
    a[i] = i * seed;
  for (int i = 0; i < n; i++)
    total += a[(i * 7) % n];
  return total;
}

__global__ void kernel(int *result, int n)
{
  const int t = threadIdx.x;
  short *first = (short *)__builtin_alloca((n + t % 5) * sizeof(short));
  double *second = (double *)__builtin_alloca(n * sizeof(double));
  for (int i = 0; i < n; i++) {
    first[i] = (short)(i + t);
    second[i] = i * 2.0;
  }
  int total = 0;
  for (int i = 0; i < 100; i++) // a stack that grew with each call would be full
    total += sum(n, t);
  for (int i = 0; i < n; i++)
    total += first[i] + (int)second[i];
  result[t] = total;
}

__global__ void full(int *result, int n)
{
  volatile char *bytes = (volatile char *)__builtin_alloca(n);
  bytes[n - 1] = (char)n;
  result[0] = bytes[n - 1];
}

int main()
{
  enum { N = 13 };
  int *result, host[64], bad = 0;
  cudaMalloc(&result, sizeof host);
  kernel<<<1, 64>>>(result, N);
  cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 64; t++) {
    const int numbers = N * (N - 1) / 2;
    bad += host[t] != 100 * numbers * t + numbers + N * t + 2 * numbers;
  }
  full<<<1, 1>>>(result, 4096);
  bad += cudaDeviceSynchronize() != cudaSuccess;
  full<<<1, 1>>>(result, 4097);
  bad += cudaDeviceSynchronize() != cudaErrorIllegalAddress;
  printf("%d %s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0;
}
