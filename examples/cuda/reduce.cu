/* Sums an array: within warps by shuffles, within blocks in shared memory, across blocks by an atomic addition. The
 * operation is a template parameter. */
#include "check.h"

struct sum_of {
  static __device__ unsigned first()
  {
    return 0;
  }
  static __device__ unsigned join(unsigned a, unsigned b)
  {
    return a + b;
  }
  static __device__ void collect(unsigned *p, unsigned v)
  {
    atomicAdd(p, v);
  }
};
struct largest_of {
  static __device__ unsigned first()
  {
    return 0;
  }
  static __device__ unsigned join(unsigned a, unsigned b)
  {
    return max(a, b);
  }
  static __device__ void collect(unsigned *p, unsigned v)
  {
    atomicMax(p, v);
  }
};

template <class Operation> __global__ void reduce(const unsigned *values, int n, unsigned *result)
{
  __shared__ unsigned warps[32];
  unsigned v = Operation::first();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    v = Operation::join(v, values[i]);
  for (int step = 16; step > 0; step /= 2)
    v = Operation::join(v, __shfl_xor_sync(~0u, v, step));
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : Operation::first();
    for (int step = 16; step > 0; step /= 2)
      v = Operation::join(v, __shfl_xor_sync(~0u, v, step));
    if (threadIdx.x == 0)
      Operation::collect(result, v);
  }
}

int main()
{
  const int n = 1 << 18;
  std::vector<unsigned> values(n), results(2);
  for (int i = 0; i < n; i++) {
    values[i] = (unsigned)i * 2654435761u >> 8;
    results[0] += values[i];
    results[1] = values[i] > results[1] ? values[i] : results[1];
  }
  unsigned *dv = to_device(values), *dr = to_device(std::vector<unsigned>(2, 0));
  reduce<sum_of><<<64, 256>>>(dv, n, dr);
  reduce<largest_of><<<64, 256>>>(dv, n, dr + 1);
  return report("reduce", to_host(dr, 2), results, 0);
}
