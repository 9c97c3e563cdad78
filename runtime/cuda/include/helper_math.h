/* Operators and functions of CUDA's vectors, as SDK samples use them */
#ifndef SIMTLAB_CUDA_HELPER_MATH_H
#define SIMTLAB_CUDA_HELPER_MATH_H

#include "cuda_runtime.h"

#include <math.h>

#define SIMTLAB_VECTOR static inline __host__ __device__ __attribute__((unused))

/* Conversions between lengths and types */
#if __cplusplus < 202002L /* later C++ has it */
SIMTLAB_VECTOR float lerp(float a, float b, float t)
{
  return a + t * (b - a);
}
#endif
SIMTLAB_VECTOR float clamp(float v, float low, float high)
{
  return fmaxf(low, fminf(v, high));
}
SIMTLAB_VECTOR int clamp(int v, int low, int high)
{
  return v < low ? low : v > high ? high : v;
}
SIMTLAB_VECTOR unsigned int clamp(unsigned int v, unsigned int low, unsigned int high)
{
  return v < low ? low : v > high ? high : v;
}
SIMTLAB_VECTOR float smoothstep(float a, float b, float v)
{
  const float t = clamp((v - a) / (b - a), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

/* DO(m): m for each member; LIST(f): f(member) of each, with commas; SUM likewise with plus. */
#define SIMTLAB_DO2(m) m(x) m(y)
#define SIMTLAB_DO3(m) SIMTLAB_DO2(m) m(z)
#define SIMTLAB_DO4(m) SIMTLAB_DO3(m) m(w)

#define SIMTLAB_ASSIGN(V, T, n, operation, statements, statements_t)                                                   \
  SIMTLAB_VECTOR void operator operation##=(V &a, V b){SIMTLAB_DO##n(statements)} SIMTLAB_VECTOR void                  \
  operator operation##=(V &a, T b){SIMTLAB_DO##n(statements_t)} SIMTLAB_VECTOR V                                       \
  operator operation(V a, V b)                                                                                         \
  {                                                                                                                    \
    a operation## = b;                                                                                                 \
    return a;                                                                                                          \
  }                                                                                                                    \
  SIMTLAB_VECTOR V operator operation(V a, T b)                                                                        \
  {                                                                                                                    \
    a operation## = b;                                                                                                 \
    return a;                                                                                                          \
  }                                                                                                                    \
  SIMTLAB_VECTOR V operator operation(T b, V a)                                                                        \
  {                                                                                                                    \
    V c;                                                                                                               \
    SIMTLAB_DO##n(SIMTLAB_FILL) c operation## = a;                                                                     \
    return c;                                                                                                          \
  }
#define SIMTLAB_FILL(m) c.m = b;
#define SIMTLAB_ADD(m) a.m += b.m;
#define SIMTLAB_ADD_T(m) a.m += b;
#define SIMTLAB_SUB(m) a.m -= b.m;
#define SIMTLAB_SUB_T(m) a.m -= b;
#define SIMTLAB_MUL(m) a.m *= b.m;
#define SIMTLAB_MUL_T(m) a.m *= b;
#define SIMTLAB_DIV(m) a.m /= b.m;
#define SIMTLAB_DIV_T(m) a.m /= b;
#define SIMTLAB_NEG(m) a.m = -a.m;
#define SIMTLAB_MIN(m) a.m = b.m < a.m ? b.m : a.m;
#define SIMTLAB_MAX(m) a.m = a.m < b.m ? b.m : a.m;
#define SIMTLAB_PRODUCT(m) sum += a.m * b.m;
#define SIMTLAB_CLAMP(m) v.m = clamp(v.m, low.m, high.m);
#define SIMTLAB_CLAMP_T(m) v.m = clamp(v.m, low, high);
#define SIMTLAB_FABS(m) v.m = fabsf(v.m);
#define SIMTLAB_FLOOR(m) v.m = floorf(v.m);
#define SIMTLAB_FRACTION(m) v.m = v.m - floorf(v.m);
#define SIMTLAB_FMOD(m) a.m = fmodf(a.m, b.m);
#define SIMTLAB_FMIN(m) a.m = fminf(a.m, b.m);
#define SIMTLAB_FMAX(m) a.m = fmaxf(a.m, b.m);

#define SIMTLAB_VECTOR_BASE(V, T, n)                                                                                   \
  SIMTLAB_ASSIGN(V, T, n, +, SIMTLAB_ADD, SIMTLAB_ADD_T)                                                               \
  SIMTLAB_ASSIGN(V, T, n, -, SIMTLAB_SUB, SIMTLAB_SUB_T)                                                               \
  SIMTLAB_ASSIGN(V, T, n, *, SIMTLAB_MUL, SIMTLAB_MUL_T)                                                               \
  SIMTLAB_VECTOR V min(V a, V b)                                                                                       \
  {                                                                                                                    \
    SIMTLAB_DO##n(SIMTLAB_MIN) return a;                                                                               \
  }                                                                                                                    \
  SIMTLAB_VECTOR V max(V a, V b)                                                                                       \
  {                                                                                                                    \
    SIMTLAB_DO##n(SIMTLAB_MAX) return a;                                                                               \
  }                                                                                                                    \
  SIMTLAB_VECTOR T dot(V a, V b)                                                                                       \
  {                                                                                                                    \
    T sum = 0;                                                                                                         \
    SIMTLAB_DO##n(SIMTLAB_PRODUCT) return sum;                                                                         \
  }                                                                                                                    \
  SIMTLAB_VECTOR V clamp(V v, V low, V high)                                                                           \
  {                                                                                                                    \
    SIMTLAB_DO##n(SIMTLAB_CLAMP) return v;                                                                             \
  }                                                                                                                    \
  SIMTLAB_VECTOR V clamp(V v, T low, T high)                                                                           \
  {                                                                                                                    \
    SIMTLAB_DO##n(SIMTLAB_CLAMP_T) return v;                                                                           \
  }
#define SIMTLAB_VECTOR_SIGNED(V, T, n)                                                                                 \
  SIMTLAB_VECTOR_BASE(V, T, n)                                                                                         \
  SIMTLAB_VECTOR V operator-(V a)                                                                                      \
  {                                                                                                                    \
    SIMTLAB_DO##n(SIMTLAB_NEG) return a;                                                                               \
  }
#define SIMTLAB_VECTOR_FLOAT(V, n)                                                                                     \
  SIMTLAB_VECTOR_SIGNED(V, float, n)                                                                                   \
  SIMTLAB_ASSIGN(V, float, n, /, SIMTLAB_DIV, SIMTLAB_DIV_T)                                                           \
  SIMTLAB_VECTOR float length(V v)                                                                                     \
  {                                                                                                                    \
    return sqrtf(dot(v, v));                                                                                           \
  }                                                                                                                    \
  SIMTLAB_VECTOR V normalize(V v)                                                                                      \
  {                                                                                                                    \
    return v * (1.0f / sqrtf(dot(v, v)));                                                                              \
  }                                                                                                                    \
  SIMTLAB_VECTOR V lerp(V a, V b, float t)                                                                             \
  {                                                                                                                    \
    return a + t * (b - a);                                                                                            \
  }                                                                                                                    \
  SIMTLAB_VECTOR V reflect(V i, V normal)                                                                              \
  {                                                                                                                    \
    return i - 2.0f * normal * dot(normal, i);                                                                         \
  }                                                                                                                    \
  SIMTLAB_VECTOR V fabs(V v)                                                                                           \
  {                                                                                                                    \
    SIMTLAB_DO##n(SIMTLAB_FABS) return v;                                                                              \
  }                                                                                                                    \
  SIMTLAB_VECTOR V floorf(V v)                                                                                         \
  {                                                                                                                    \
    SIMTLAB_DO##n(SIMTLAB_FLOOR) return v;                                                                             \
  }                                                                                                                    \
  SIMTLAB_VECTOR V fracf(V v)                                                                                          \
  {                                                                                                                    \
    SIMTLAB_DO##n(SIMTLAB_FRACTION) return v;                                                                          \
  }                                                                                                                    \
  SIMTLAB_VECTOR V fmodf(V a, V b)                                                                                     \
  {                                                                                                                    \
    SIMTLAB_DO##n(SIMTLAB_FMOD) return a;                                                                              \
  }                                                                                                                    \
  SIMTLAB_VECTOR V fminf(V a, V b)                                                                                     \
  {                                                                                                                    \
    SIMTLAB_DO##n(SIMTLAB_FMIN) return a;                                                                              \
  }                                                                                                                    \
  SIMTLAB_VECTOR V fmaxf(V a, V b)                                                                                     \
  {                                                                                                                    \
    SIMTLAB_DO##n(SIMTLAB_FMAX) return a;                                                                              \
  }
SIMTLAB_VECTOR_SIGNED(int2, int, 2)
SIMTLAB_VECTOR_SIGNED(int3, int, 3)
SIMTLAB_VECTOR_SIGNED(int4, int, 4)
SIMTLAB_VECTOR_BASE(uint2, unsigned int, 2)
SIMTLAB_VECTOR_BASE(uint3, unsigned int, 3)
SIMTLAB_VECTOR_BASE(uint4, unsigned int, 4)
SIMTLAB_VECTOR float fracf(float v)
{
  return v - floorf(v);
}
SIMTLAB_VECTOR_FLOAT(float2, 2)
SIMTLAB_VECTOR_FLOAT(float3, 3)
SIMTLAB_VECTOR_FLOAT(float4, 4)

SIMTLAB_VECTOR float3 cross(float3 a, float3 b)
{
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/* make_V of one value, of a shorter or longer vector, and of another element type */
#define SIMTLAB_MAKE(V, T, other2, other3, other4, t)                                                                  \
  SIMTLAB_VECTOR V##2 make_##V##2(T s)                                                                                 \
  {                                                                                                                    \
    return make_##V##2(s, s);                                                                                          \
  }                                                                                                                    \
  SIMTLAB_VECTOR V##3 make_##V##3(T s)                                                                                 \
  {                                                                                                                    \
    return make_##V##3(s, s, s);                                                                                       \
  }                                                                                                                    \
  SIMTLAB_VECTOR V##4 make_##V##4(T s)                                                                                 \
  {                                                                                                                    \
    return make_##V##4(s, s, s, s);                                                                                    \
  }                                                                                                                    \
  SIMTLAB_VECTOR V##2 make_##V##2(V##3 a)                                                                              \
  {                                                                                                                    \
    return make_##V##2(a.x, a.y);                                                                                      \
  }                                                                                                                    \
  SIMTLAB_VECTOR V##2 make_##V##2(V##4 a)                                                                              \
  {                                                                                                                    \
    return make_##V##2(a.x, a.y);                                                                                      \
  }                                                                                                                    \
  SIMTLAB_VECTOR V##3 make_##V##3(V##4 a)                                                                              \
  {                                                                                                                    \
    return make_##V##3(a.x, a.y, a.z);                                                                                 \
  }                                                                                                                    \
  SIMTLAB_VECTOR V##3 make_##V##3(V##2 a, T s = 0)                                                                     \
  {                                                                                                                    \
    return make_##V##3(a.x, a.y, s);                                                                                   \
  }                                                                                                                    \
  SIMTLAB_VECTOR V##4 make_##V##4(V##3 a, T s = 0)                                                                     \
  {                                                                                                                    \
    return make_##V##4(a.x, a.y, a.z, s);                                                                              \
  }                                                                                                                    \
  SIMTLAB_VECTOR V##2 make_##V##2(other2 a)                                                                            \
  {                                                                                                                    \
    return make_##V##2((T)a.x, (T)a.y);                                                                                \
  }                                                                                                                    \
  SIMTLAB_VECTOR V##3 make_##V##3(other3 a)                                                                            \
  {                                                                                                                    \
    return make_##V##3((T)a.x, (T)a.y, (T)a.z);                                                                        \
  }                                                                                                                    \
  SIMTLAB_VECTOR V##4 make_##V##4(other4 a)                                                                            \
  {                                                                                                                    \
    return make_##V##4((T)a.x, (T)a.y, (T)a.z, (T)a.w);                                                                \
  }
SIMTLAB_MAKE(float, float, int2, int3, int4, f)
SIMTLAB_MAKE(int, int, float2, float3, float4, i)
SIMTLAB_MAKE(uint, unsigned int, int2, int3, int4, u)

#endif
