// cp.async: copies from global to shared memory that a thread waits for by groups; short copies clear the rest.
#include <cstdio>
#include <cstdint>

__device__ unsigned shared_address(const void *p)
{
  return (unsigned)__cvta_generic_to_shared(p);
}

// Blocks sum tiles of 128 numbers; the next tile is copied while one is summed.
__global__ void sums(const int *data, int tiles, int *result)
{
  __shared__ __align__(16) int tile[2][128];
  const int t = threadIdx.x;
  int sum = 0;
  const auto fetch = [&](int n) {
    if (n < tiles)
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(&tile[n % 2][t])),
                   "l"(data + n * 128 + t)
                   : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  fetch(0);
  for (int n = 0; n < tiles; n++) {
    fetch(n + 1);
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    sum += tile[n % 2][127 - t];
    __syncthreads();
  }
  result[t] = sum;
}

// Each thread copies 16 bytes, of which it reads the first `bytes`.
__global__ void part(const int4 *data, int bytes, int4 *result)
{
  __shared__ int4 words[32];
  const int t = threadIdx.x;
  words[t] = make_int4(-1, -1, -1, -1);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(&words[t])), "l"(data + t), "r"(bytes)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
  result[t] = words[31 - t];
}

int main()
{
  enum { TILES = 9 };
  int host[TILES * 128], sum[128], *data, *result, bad = 0;
  for (int i = 0; i < TILES * 128; i++)
    host[i] = i * 7 % 1000;
  cudaMalloc(&data, sizeof host);
  cudaMalloc(&result, 1024);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  sums<<<1, 128>>>(data, TILES, result);
  cudaMemcpy(sum, result, sizeof sum, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 128; t++) {
    int expected = 0;
    for (int n = 0; n < TILES; n++)
      expected += host[n * 128 + 127 - t];
    bad += sum[t] != expected;
  }
  for (int bytes = 0; bytes <= 16; bytes += 8) {
    int got[128];
    part<<<1, 32>>>((const int4 *)data, bytes, (int4 *)result);
    cudaMemcpy(got, result, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
      bad += got[i] != (i % 4 * 4 < bytes ? host[(31 - i / 4) * 4 + i % 4] : 0);
  }
  printf("%d %s\n", bad, bad ? "FAIL" : "PASS");
  return bad != 0 || cudaGetLastError() != cudaSuccess;
}
