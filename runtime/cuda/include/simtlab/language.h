/* The CUDA language over Clang's own CUDA headers. The order matters: Clang declares its device functions before the
 * C++ library and defines them after it. */
#ifndef SIMTLAB_CUDA_LANGUAGE_H
#define SIMTLAB_CUDA_LANGUAGE_H

#include <__clang_cuda_math_forward_declares.h>

#define __CUDACC__
#ifndef __NVCC__
#define __NVCC__
#endif
#define __CUDACC_VER_MAJOR__ 11
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 89
#define CUDA_VERSION 10010

#include "host_defines.h"

/* Services of the runtime. The C++ library's <new> needs them first. */
extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(__SIZE_TYPE__) __attribute__((nothrow, malloc));
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function,
                             __SIZE_TYPE__ size);
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned line, const char *function)
{
  __assertfail(message, file, line, function, sizeof(char));
}
__device__ int printf(const char *, ...);
}

#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits.h>
#include <math.h>
#include <new> /* Clang's: new and delete of kernels, which programs need not include */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda_runtime_api.h"
#include "vector_functions.h"

/* An inlined function of these headers has the line of its call, which profiles and the checker show. */
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

/* Clang's headers define most device functions for both passes. */
#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 700
#endif
#include <__clang_cuda_builtin_vars.h>
/* Before CUDA 9.2 functions on parts of a word were functions of the device library, not inline assembly. */
#undef CUDA_VERSION
#define CUDA_VERSION 9010
#include <__clang_cuda_libdevice_declares.h>

/* Clang's forms without a mask end in instructions that sm_70 does not have (simtlab/warp.h). */
#define __all simtlab_unused_all
#define __any simtlab_unused_any
#define __ballot simtlab_unused_ballot
#define __shfl simtlab_unused_shfl
#define __shfl_up simtlab_unused_shfl_up
#define __shfl_down simtlab_unused_shfl_down
#define __shfl_xor simtlab_unused_shfl_xor
#include <__clang_cuda_device_functions.h>
#undef CUDA_VERSION
#define CUDA_VERSION 10010
#include <__clang_cuda_math.h>
#pragma pop_macro("__CUDA_ARCH__")

#define SIMTLAB_INDEX(name)                                                                                            \
  __device__ inline __cuda_builtin_##name##_t::operator dim3() const                                                   \
  {                                                                                                                    \
    return dim3(x, y, z);                                                                                              \
  }                                                                                                                    \
  __device__ inline __cuda_builtin_##name##_t::operator uint3() const                                                  \
  {                                                                                                                    \
    return make_uint3(x, y, z);                                                                                        \
  }
SIMTLAB_INDEX(threadIdx)
SIMTLAB_INDEX(blockIdx)
SIMTLAB_INDEX(blockDim)
SIMTLAB_INDEX(gridDim)
#undef SIMTLAB_INDEX

#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 700
#endif
#include <__clang_cuda_cmath.h>
#include <__clang_cuda_complex_builtins.h>
#include <__clang_cuda_intrinsics.h>
#pragma pop_macro("__CUDA_ARCH__")
#undef __all
#undef __any
#undef __ballot
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor

#include "simtlab/atomics.h"
#include "simtlab/managed.h"
#include "simtlab/math.h"
#include "simtlab/memory.h"
#include "simtlab/surfaces.h"
#include "simtlab/templates.h"
#include "simtlab/textures.h"
#include "simtlab/warp.h"
#pragma clang attribute pop

#endif
