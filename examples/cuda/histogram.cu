/* Counts bytes: atomics in shared memory per block, then in global memory. */
#include "check.h"

__global__ void count(const unsigned char *bytes, int n, unsigned *bins)
{
  __shared__ unsigned mine[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[bytes[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    if (mine[b] != 0)
      atomicAdd(&bins[b], mine[b]);
}

int main()
{
  const int n = 200000;
  random_numbers next;
  std::vector<unsigned char> bytes(n);
  std::vector<unsigned> bins(256);
  for (unsigned char &b : bytes) {
    b = (unsigned char)(next() * next() * 256);
    bins[b]++;
  }
  unsigned char *db = to_device(bytes);
  unsigned *dbins;
  CHECK(cudaMalloc(&dbins, 256 * sizeof *dbins));
  CHECK(cudaMemset(dbins, 0, 256 * sizeof *dbins));
  count<<<32, 128>>>(db, n, dbins);
  return report("histogram", to_host(dbins, 256), bins, 0);
}
