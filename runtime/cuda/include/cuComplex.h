/* Complex numbers of float and double, for C and C++, host and device. */
#ifndef SIMTLAB_CUDA_COMPLEX_H
#define SIMTLAB_CUDA_COMPLEX_H

#include "cuda_runtime.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define SIMTLAB_COMPLEX static __inline__ __host__ __device__ __attribute__((unused))
/* f: the suffix of the functions of float */
#define SIMTLAB_COMPLEX_OF(T, V, part, suffix, root, size)                                                             \
  SIMTLAB_COMPLEX T make_##T(V re, V im)                                                                               \
  {                                                                                                                    \
    T z;                                                                                                               \
    z.x = re;                                                                                                          \
    z.y = im;                                                                                                          \
    return z;                                                                                                          \
  }                                                                                                                    \
  SIMTLAB_COMPLEX V cuCreal##suffix(T z)                                                                               \
  {                                                                                                                    \
    return z.x;                                                                                                        \
  }                                                                                                                    \
  SIMTLAB_COMPLEX V cuCimag##suffix(T z)                                                                               \
  {                                                                                                                    \
    return z.y;                                                                                                        \
  }                                                                                                                    \
  SIMTLAB_COMPLEX T cuConj##suffix(T z)                                                                                \
  {                                                                                                                    \
    return make_##T(z.x, -z.y);                                                                                        \
  }                                                                                                                    \
  SIMTLAB_COMPLEX T cuCadd##suffix(T a, T b)                                                                           \
  {                                                                                                                    \
    return make_##T(a.x + b.x, a.y + b.y);                                                                             \
  }                                                                                                                    \
  SIMTLAB_COMPLEX T cuCsub##suffix(T a, T b)                                                                           \
  {                                                                                                                    \
    return make_##T(a.x - b.x, a.y - b.y);                                                                             \
  }                                                                                                                    \
  SIMTLAB_COMPLEX T cuCmul##suffix(T a, T b)                                                                           \
  {                                                                                                                    \
    return make_##T(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                                     \
  }                                                                                                                    \
  SIMTLAB_COMPLEX T cuCdiv##suffix(T a, T b)                                                                           \
  {                                                                                                                    \
    const V scale = 1 / (size(b.x) + size(b.y)), ax = a.x * scale, ay = a.y * scale, bx = b.x * scale,                 \
            by = b.y * scale, norm = 1 / (bx * bx + by * by);                                                          \
    return make_##T((ax * bx + ay * by) * norm, (ay * bx - ax * by) * norm);                                           \
  }                                                                                                                    \
  SIMTLAB_COMPLEX V cuCabs##suffix(T z)                                                                                \
  {                                                                                                                    \
    const V a = size(z.x), b = size(z.y), v = a > b ? a : b, w = a > b ? b : a, t = v == 0 ? 0 : w / v;                \
    return v * root(1 + t * t);                                                                                        \
  }
SIMTLAB_COMPLEX_OF(cuFloatComplex, float, , f, sqrtf, fabsf)
SIMTLAB_COMPLEX_OF(cuDoubleComplex, double, , , sqrt, fabs)
#undef SIMTLAB_COMPLEX_OF

SIMTLAB_COMPLEX cuComplex make_cuComplex(float re, float im)
{
  return make_cuFloatComplex(re, im);
}
SIMTLAB_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z)
{
  return make_cuDoubleComplex(z.x, z.y);
}
SIMTLAB_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
  return make_cuFloatComplex((float)z.x, (float)z.y);
}
SIMTLAB_COMPLEX cuComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c)
{
  return cuCaddf(cuCmulf(a, b), c);
}
SIMTLAB_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c)
{
  return cuCadd(cuCmul(a, b), c);
}
#undef SIMTLAB_COMPLEX

#endif
