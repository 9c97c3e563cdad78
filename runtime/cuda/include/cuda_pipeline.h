/* Copies from global to shared memory that a thread waits for. They are done at once. */
#ifndef SIMTLAB_CUDA_PIPELINE_H
#define SIMTLAB_CUDA_PIPELINE_H

#include "cuda_runtime.h"

#ifdef __CUDA__
/* `size` is 4, 8 or 16; the last `zeros` bytes become 0. */
static __device__ __forceinline__ void __pipeline_memcpy_async(void *shared, const void *global, size_t size,
                                                               size_t zeros = 0)
{
  for (size_t i = 0; i < size; i += 4)
    *(unsigned int *)((char *)shared + i) = i + zeros < size ? *(const unsigned int *)((const char *)global + i) : 0;
}
static __device__ __forceinline__ void __pipeline_commit()
{
}
static __device__ __forceinline__ void __pipeline_wait_prior(size_t)
{
}
#endif

#endif
