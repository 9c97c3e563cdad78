/* Declaration specifiers of CUDA, for Clang's CUDA language and for plain C and C++. */
#ifndef SIMTLAB_CUDA_HOST_DEFINES_H
#define SIMTLAB_CUDA_HOST_DEFINES_H
#define __HOST_DEFINES_H__

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#endif

#ifndef __grid_constant__
#define __grid_constant__
#endif
#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __annotate__(a)
#define __location__(a)
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

#ifndef __dv
#ifdef __cplusplus
#define __dv(v) = v
#else
#define __dv(v)
#endif
#endif

#endif
