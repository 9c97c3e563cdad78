// The function of lanes_body.h as a CUDA kernel; prints the results of 64 threads.
#include <cstdio>

#define LANES_FUNCTION static __device__ __forceinline__
#define ALL_LANES 0xFFFFFFFFu
#define SIMT_IF(c) if (c)
#define SIMT_ELSE else
#define SIMT_ENDIF
#define SIMT_WHILE(c) while (c)
#define LANES_BALLOT(mask, c) __ballot_sync(mask, c)
#define LANES_ANY(mask, c) (unsigned)(__any_sync(mask, c) != 0)
#define LANES_ALL(mask, c) (unsigned)(__all_sync(mask, c) != 0)
#define LANES_UP(mask, v, by) __shfl_up_sync(mask, v, by)
#define LANES_DOWN(mask, v, by) __shfl_down_sync(mask, v, by)
#define LANES_BFLY(mask, v, by) __shfl_xor_sync(mask, v, by)
#define LANES_IDX(mask, v, from) __shfl_sync(mask, v, from)
#include "../lanes_body.h"

__global__ void body(unsigned seed, unsigned *out)
{
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  lanes_body(threadIdx.x & 31, seed + blockIdx.x, out + thread * WORDS);
}

int main()
{
  enum { THREADS = 64 };
  unsigned out[THREADS * WORDS], *device;
  if (cudaMalloc(&device, sizeof out) != cudaSuccess)
    return 1;
  body<<<2, 32>>>(12345, device);
  if (cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  for (unsigned i = 0; i < THREADS * WORDS; i++)
    printf("%08x%c", out[i], i % WORDS == WORDS - 1 ? '\n' : ' ');
  return 0;
}
