/* Atomics of each kind and type. The exit status says whether all is right. */
#include <cstdio>

enum { BLOCKS = 32, THREADS = 128, ALL = BLOCKS * THREADS };

struct Results {
  int sum, least, most, ored, xored, swapped, anded, difference;
  unsigned wrapped, lowered, inner;
  unsigned long long wide, widest, bits;
  float half;
  double quarter;
};

__device__ Results results = {0, 1 << 30, -(1 << 30), 0, 0, -1, -1, 0, 0, 6, 0, 0, 0, ~0ull, 0, 0};

__global__ void update()
{
  __shared__ unsigned inner;
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    inner = 0;
  __syncthreads();
  atomicAdd(&inner, 1u);
  atomicAdd(&results.sum, t);
  atomicSub(&results.difference, 2);
  atomicMin(&results.least, t - 5);
  atomicMax(&results.most, 7 * t);
  atomicOr(&results.ored, 1 << t % 31);
  atomicXor(&results.xored, t);
  atomicAnd(&results.anded, ~(t % 16 << 4));
  atomicCAS(&results.swapped, -1, 99);
  atomicInc(&results.wrapped, 9);
  atomicDec(&results.lowered, 6);
  atomicAdd(&results.wide, (unsigned long long)t << 20);
  atomicMax(&results.widest, (unsigned long long)t << 35);
  atomicAnd(&results.bits, ~(1ull << t % 50));
  atomicAdd(&results.half, 0.5f);
  atomicAdd(&results.quarter, 0.25);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd_system(&results.inner, inner);
}

int main()
{
  Results r;
  update<<<BLOCKS, THREADS>>>();
  if (cudaMemcpyFromSymbol(&r, results, sizeof r) != cudaSuccess)
    return 2;
  int xored = 0;
  for (int t = 0; t < ALL; t++)
    xored ^= t;
  const unsigned long long sum = (unsigned long long)ALL * (ALL - 1) / 2;
  const bool right = r.sum == (int)sum && r.difference == -2 * ALL && r.least == -5 && r.most == 7 * (ALL - 1) &&
                     r.ored == 0x7fffffff && r.xored == xored && r.anded == ~0xf0 && r.swapped == 99 &&
                     r.wrapped == ALL % 10 && r.lowered == (6 + 7 * ALL - ALL) % 7 && r.inner == ALL &&
                     r.wide == sum << 20 && r.widest == (unsigned long long)(ALL - 1) << 35 && r.bits == ~0ull << 50 &&
                     r.half == ALL * 0.5f && r.quarter == ALL * 0.25;
  printf("%s\n", right ? "right" : "wrong");
  return !right;
}
