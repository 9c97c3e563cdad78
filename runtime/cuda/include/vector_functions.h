/* Constructor functions of CUDA's vector types: make_int2(x, y), ... */
#ifndef SIMTLAB_CUDA_VECTOR_FUNCTIONS_H
#define SIMTLAB_CUDA_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define SIMTLAB_MAKE static __inline__ __host__ __device__ __attribute__((unused))
#define SIMTLAB_MAKERS(name, type)                                                                                     \
  SIMTLAB_MAKE name##1 make_##name##1(type x)                                                                          \
  {                                                                                                                    \
    name##1 v;                                                                                                         \
    v.x = x;                                                                                                           \
    return v;                                                                                                          \
  }                                                                                                                    \
  SIMTLAB_MAKE name##2 make_##name##2(type x, type y)                                                                  \
  {                                                                                                                    \
    name##2 v;                                                                                                         \
    v.x = x;                                                                                                           \
    v.y = y;                                                                                                           \
    return v;                                                                                                          \
  }                                                                                                                    \
  SIMTLAB_MAKE name##3 make_##name##3(type x, type y, type z)                                                          \
  {                                                                                                                    \
    name##3 v;                                                                                                         \
    v.x = x;                                                                                                           \
    v.y = y;                                                                                                           \
    v.z = z;                                                                                                           \
    return v;                                                                                                          \
  }                                                                                                                    \
  SIMTLAB_MAKE name##4 make_##name##4(type x, type y, type z, type w)                                                  \
  {                                                                                                                    \
    name##4 v;                                                                                                         \
    v.x = x;                                                                                                           \
    v.y = y;                                                                                                           \
    v.z = z;                                                                                                           \
    v.w = w;                                                                                                           \
    return v;                                                                                                          \
  }

SIMTLAB_MAKERS(char, signed char)
SIMTLAB_MAKERS(uchar, unsigned char)
SIMTLAB_MAKERS(short, short)
SIMTLAB_MAKERS(ushort, unsigned short)
SIMTLAB_MAKERS(int, int)
SIMTLAB_MAKERS(uint, unsigned int)
SIMTLAB_MAKERS(long, long int)
SIMTLAB_MAKERS(ulong, unsigned long int)
SIMTLAB_MAKERS(longlong, simtlab_long_long)
SIMTLAB_MAKERS(ulonglong, simtlab_unsigned_long_long)
SIMTLAB_MAKERS(float, float)
SIMTLAB_MAKERS(double, double)
#undef SIMTLAB_MAKERS
#undef SIMTLAB_MAKE

#endif
