/* Asynchronous copies from global to shared memory (cp.async): CUDA C Programming Guide, "Pipeline Primitives
 * Interface". */
#ifndef SIMTLAB_CUDA_PIPELINE_PRIMITIVES_H
#define SIMTLAB_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_runtime.h"

#ifdef __CUDA__
typedef size_t __pipeline_size_t;

/* Copies 4, 8 or 16 bytes, of which the last `zfill` are cleared instead. Both addresses are aligned to the size. */
static __device__ __forceinline__ void __pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from,
                                                               size_t size, size_t zfill = 0)
{
  const unsigned shared = (unsigned)__cvta_generic_to_shared(to), bytes = (unsigned)(size - zfill);
  const size_t global = __cvta_generic_to_global(from);
  if (size == 4)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(global), "r"(bytes) : "memory");
  else if (size == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared), "l"(global), "r"(bytes) : "memory");
  else
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(global), "r"(bytes) : "memory");
}

static __device__ __forceinline__ void __pipeline_commit()
{
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits until all but the last N committed groups are complete; N from 0 to 8. */
static __device__ __forceinline__ void __pipeline_wait_prior(size_t n)
{
#define SIMTLAB_WAIT(number)                                                                                           \
  case number: asm volatile("cp.async.wait_group " #number ";" ::: "memory"); break;
  switch (n) {
    SIMTLAB_WAIT(1)
    SIMTLAB_WAIT(2)
    SIMTLAB_WAIT(3)
    SIMTLAB_WAIT(4)
    SIMTLAB_WAIT(5)
    SIMTLAB_WAIT(6)
    SIMTLAB_WAIT(7)
    SIMTLAB_WAIT(8)
  default: asm volatile("cp.async.wait_group 0;" ::: "memory");
  }
#undef SIMTLAB_WAIT
}
#endif

#endif
