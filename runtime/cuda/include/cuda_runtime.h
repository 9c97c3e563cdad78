/* CUDA for programs. `simtlab cuda` includes this header before every .cu file; C and C++ files include it for the
 * runtime API. */
#ifndef SIMTLAB_CUDA_RUNTIME_H
#define SIMTLAB_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__

#ifdef __CUDA__
#include "simtlab/language.h"
#if __has_feature(hwaddress_sanitizer) /* simtlab cuda --checkable: the sanitizer declares it, and nothing uses it */
extern "C" __device__ __attribute__((weak)) unsigned long long __hwasan_tls = 0;
#endif
#ifdef SIMTLAB_SEPARATE /* -rdc=true, in the host's pass: each file has something to register, and with it its PTX */
static __device__ __attribute__((used)) char simtlab_separate_file;
#endif
#else
#include "cuda_runtime_api.h"
#include "vector_functions.h"
#ifdef __cplusplus
#include "simtlab/templates.h"
#endif
#endif

#endif
