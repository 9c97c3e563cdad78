/* Prefix sums in three launches: of blocks, of the blocks' sums, and their addition. */
#include "check.h"

enum { BLOCK = 256 };

__global__ void scan_blocks(const int *in, int *out, int *sums, int n)
{
  __shared__ int s[BLOCK];
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < BLOCK; step *= 2) {
    const int below = threadIdx.x >= step ? s[threadIdx.x - step] : 0;
    __syncthreads();
    s[threadIdx.x] += below;
    __syncthreads();
  }
  if (i < n)
    out[i] = s[threadIdx.x];
  if (sums != 0 && threadIdx.x == BLOCK - 1)
    sums[blockIdx.x] = s[threadIdx.x];
}

__global__ void add_sums(int *out, const int *sums, int n)
{
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (blockIdx.x > 0 && i < n)
    out[i] += sums[blockIdx.x - 1];
}

int main()
{
  const int n = 50000, blocks = (n + BLOCK - 1) / BLOCK;
  std::vector<int> in(n), out(n);
  for (int i = 0, sum = 0; i < n; i++) {
    in[i] = i * 7919 % 101 - 50;
    out[i] = sum += in[i];
  }
  int *din = to_device(in), *dout = to_device(std::vector<int>(n)), *sums = to_device(std::vector<int>(BLOCK));
  scan_blocks<<<blocks, BLOCK>>>(din, dout, sums, n);
  scan_blocks<<<1, BLOCK>>>(sums, sums, 0, blocks);
  add_sums<<<blocks, BLOCK>>>(dout, sums, n);
  return report("scan", to_host(dout, n), out, 0);
}
