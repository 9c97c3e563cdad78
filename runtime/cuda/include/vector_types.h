/* CUDA's vector types and dim3. */
#ifndef SIMTLAB_CUDA_VECTOR_TYPES_H
#define SIMTLAB_CUDA_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__

#pragma GCC system_header /* long long in C++98 */

#include "host_defines.h"

/* Alignments of the vectors of 2 and 4; vectors of 1 and 3 have their element's. */
#define SIMTLAB_VECTORS(name, type, two, four)                                                                         \
  struct name##1                                                                                                       \
  {                                                                                                                    \
    type x;                                                                                                            \
  };                                                                                                                   \
  struct __attribute__((aligned(two))) name##2                                                                         \
  {                                                                                                                    \
    type x, y;                                                                                                         \
  };                                                                                                                   \
  struct name##3                                                                                                       \
  {                                                                                                                    \
    type x, y, z;                                                                                                      \
  };                                                                                                                   \
  struct __attribute__((aligned(four))) name##4                                                                        \
  {                                                                                                                    \
    type x, y, z, w;                                                                                                   \
  };                                                                                                                   \
  typedef struct name##1 name##1;                                                                                      \
  typedef struct name##2 name##2;                                                                                      \
  typedef struct name##3 name##3;                                                                                      \
  typedef struct name##4 name##4;

SIMTLAB_VECTORS(char, signed char, 2, 4)
SIMTLAB_VECTORS(uchar, unsigned char, 2, 4)
SIMTLAB_VECTORS(short, short, 4, 8)
SIMTLAB_VECTORS(ushort, unsigned short, 4, 8)
SIMTLAB_VECTORS(int, int, 8, 16)
SIMTLAB_VECTORS(uint, unsigned int, 8, 16)
SIMTLAB_VECTORS(long, long int, 16, 16)
SIMTLAB_VECTORS(ulong, unsigned long int, 16, 16)
__extension__ typedef long long int simtlab_long_long;
__extension__ typedef unsigned long long int simtlab_unsigned_long_long;
SIMTLAB_VECTORS(longlong, simtlab_long_long, 16, 16)
SIMTLAB_VECTORS(ulonglong, simtlab_unsigned_long_long, 16, 16)
SIMTLAB_VECTORS(float, float, 8, 16)
SIMTLAB_VECTORS(double, double, 16, 16)
#undef SIMTLAB_VECTORS

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
#if __cplusplus >= 201103L
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz)
  {
  }
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
  {
  }
  __host__ __device__ constexpr operator uint3() const
  {
    return uint3{x, y, z};
  }
#else
  __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz)
  {
  }
  __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
  {
  }
  __host__ __device__ operator uint3() const
  {
    uint3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
  }
#endif
#endif
};
typedef struct dim3 dim3;

#endif
