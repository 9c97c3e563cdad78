#include <cuda/atomic>

#include "launch.h"
__device__ cuda::atomic<int, cuda::thread_scope_device> flag;
__device__ int value;
__global__ void k(int *data, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) {
    value = 42;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    flag.store(1, cuda::memory_order_relaxed);
  }
  if (i == 64) {
    while (flag.load(cuda::memory_order_relaxed) == 0)
      ;
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    data[0] = value;
  }
}
LAUNCH(k, 2, 64, 256)
