/* Mathematics beyond Clang's headers: overloads for float, min and max, and host forms of CUDA's own functions. */
#ifndef SIMTLAB_CUDA_MATH_H
#define SIMTLAB_CUDA_MATH_H

#define SIMTLAB_MATH static __device__ __forceinline__

#define SIMTLAB_FLOAT1(name)                                                                                           \
  SIMTLAB_MATH float name(float a)                                                                                     \
  {                                                                                                                    \
    return ::name##f(a);                                                                                               \
  }
#define SIMTLAB_FLOAT2(name)                                                                                           \
  SIMTLAB_MATH float name(float a, float b)                                                                            \
  {                                                                                                                    \
    return ::name##f(a, b);                                                                                            \
  }
SIMTLAB_FLOAT1(acosh)
SIMTLAB_FLOAT1(asinh)
SIMTLAB_FLOAT1(atanh)
SIMTLAB_FLOAT1(cbrt)
SIMTLAB_FLOAT1(erf)
SIMTLAB_FLOAT1(erfc)
SIMTLAB_FLOAT1(exp2)
SIMTLAB_FLOAT1(expm1)
SIMTLAB_FLOAT1(lgamma)
SIMTLAB_FLOAT1(log1p)
SIMTLAB_FLOAT1(log2)
SIMTLAB_FLOAT1(logb)
SIMTLAB_FLOAT1(nearbyint)
SIMTLAB_FLOAT1(rint)
SIMTLAB_FLOAT1(round)
SIMTLAB_FLOAT1(tgamma)
SIMTLAB_FLOAT1(trunc)
SIMTLAB_FLOAT2(copysign)
SIMTLAB_FLOAT2(fdim)
SIMTLAB_FLOAT2(fmax)
SIMTLAB_FLOAT2(fmin)
SIMTLAB_FLOAT2(hypot)
SIMTLAB_FLOAT2(nextafter)
SIMTLAB_FLOAT2(remainder)
/* CUDA's own */
SIMTLAB_FLOAT1(cospi)
SIMTLAB_FLOAT1(erfcinv)
SIMTLAB_FLOAT1(erfcx)
SIMTLAB_FLOAT1(erfinv)
SIMTLAB_FLOAT1(exp10)
SIMTLAB_FLOAT1(normcdf)
SIMTLAB_FLOAT1(normcdfinv)
SIMTLAB_FLOAT1(rcbrt)
SIMTLAB_FLOAT1(rsqrt)
SIMTLAB_FLOAT1(sinpi)
#undef SIMTLAB_FLOAT1
#undef SIMTLAB_FLOAT2

SIMTLAB_MATH float nanf(const char *)
{
  return __builtin_nanf("");
}
SIMTLAB_MATH double nan(const char *)
{
  return __builtin_nan("");
}
SIMTLAB_MATH float fma(float a, float b, float c)
{
  return ::fmaf(a, b, c);
}
SIMTLAB_MATH float remquo(float a, float b, int *quotient)
{
  return ::remquof(a, b, quotient);
}
SIMTLAB_MATH float scalbn(float a, int exponent)
{
  return ::scalbnf(a, exponent);
}
SIMTLAB_MATH float scalbln(float a, long exponent)
{
  return ::scalblnf(a, exponent);
}
SIMTLAB_MATH int ilogb(float a)
{
  return ::ilogbf(a);
}
SIMTLAB_MATH long lrint(float a)
{
  return ::lrintf(a);
}
SIMTLAB_MATH long lround(float a)
{
  return ::lroundf(a);
}
SIMTLAB_MATH long long llrint(float a)
{
  return ::llrintf(a);
}
SIMTLAB_MATH long long llround(float a)
{
  return ::llroundf(a);
}
SIMTLAB_MATH void sincos(float a, float *s, float *c)
{
  ::sincosf(a, s, c);
}
SIMTLAB_MATH void sincospi(float a, float *s, float *c)
{
  ::sincospif(a, s, c);
}
#undef SIMTLAB_MATH

/* Dot products of bytes and half words, which are added to c */
#define SIMTLAB_DOT(name, result, words, word, bytes, byte, count, shift)                                              \
  static __device__ __forceinline__ result name(words a, bytes b, result c)                                            \
  {                                                                                                                    \
    _Pragma("unroll") for (int i = 0; i < count; i++) c +=                                                             \
        (result)(word)((unsigned int)a >> i * 32 / count) * (result)(byte)((unsigned int)b >> (i * 8 + shift));        \
    return c;                                                                                                          \
  }
SIMTLAB_DOT(__dp4a, int, int, signed char, int, signed char, 4, 0)
SIMTLAB_DOT(__dp4a, unsigned int, unsigned int, unsigned char, unsigned int, unsigned char, 4, 0)
SIMTLAB_DOT(__dp2a_lo, int, int, short, int, signed char, 2, 0)
SIMTLAB_DOT(__dp2a_hi, int, int, short, int, signed char, 2, 16)
SIMTLAB_DOT(__dp2a_lo, unsigned int, unsigned int, unsigned short, unsigned int, unsigned char, 2, 0)
SIMTLAB_DOT(__dp2a_hi, unsigned int, unsigned int, unsigned short, unsigned int, unsigned char, 2, 16)
#undef SIMTLAB_DOT

/* min and max of all arithmetic types on both sides; Clang has those of int for the device. */
#define SIMTLAB_MINMAX(where, result, a_type, b_type)                                                                  \
  static __inline__ where result min(a_type a, b_type b)                                                               \
  {                                                                                                                    \
    return (result)a < (result)b ? (result)a : (result)b;                                                              \
  }                                                                                                                    \
  static __inline__ where result max(a_type a, b_type b)                                                               \
  {                                                                                                                    \
    return (result)a > (result)b ? (result)a : (result)b;                                                              \
  }
#define SIMTLAB_MINMAX_MIXED(wide, narrow)                                                                             \
  SIMTLAB_MINMAX(__host__ __device__, wide, wide, wide)                                                                \
  SIMTLAB_MINMAX(__host__ __device__, wide, wide, narrow)                                                              \
  SIMTLAB_MINMAX(__host__ __device__, wide, narrow, wide)
SIMTLAB_MINMAX(__host__, int, int, int)
SIMTLAB_MINMAX_MIXED(unsigned int, int)
SIMTLAB_MINMAX(__host__ __device__, long, long, long)
SIMTLAB_MINMAX_MIXED(unsigned long, long)
SIMTLAB_MINMAX(__host__ __device__, long long, long long, long long)
SIMTLAB_MINMAX_MIXED(unsigned long long, long long)
#undef SIMTLAB_MINMAX_MIXED
#undef SIMTLAB_MINMAX

#define SIMTLAB_MINMAX_REAL(type, a_type, b_type, suffix)                                                              \
  static __inline__ __host__ __device__ type min(a_type a, b_type b)                                                   \
  {                                                                                                                    \
    return ::fmin##suffix((type)a, (type)b);                                                                           \
  }                                                                                                                    \
  static __inline__ __host__ __device__ type max(a_type a, b_type b)                                                   \
  {                                                                                                                    \
    return ::fmax##suffix((type)a, (type)b);                                                                           \
  }
SIMTLAB_MINMAX_REAL(float, float, float, f)
SIMTLAB_MINMAX_REAL(double, double, double, )
SIMTLAB_MINMAX_REAL(double, float, double, )
SIMTLAB_MINMAX_REAL(double, double, float, )
#undef SIMTLAB_MINMAX_REAL

#define SIMTLAB_HOST static __inline__ __host__
SIMTLAB_HOST float rsqrtf(float a)
{
  return 1 / ::sqrtf(a);
}
SIMTLAB_HOST double rsqrt(double a)
{
  return 1 / ::sqrt(a);
}
SIMTLAB_HOST float rsqrt(float a)
{
  return 1 / ::sqrtf(a);
}
SIMTLAB_HOST double rcbrt(double a)
{
  return 1 / ::cbrt(a);
}
SIMTLAB_HOST float rcbrtf(float a)
{
  return 1 / ::cbrtf(a);
}
SIMTLAB_HOST double normcdf(double a)
{
  return ::erfc(-a * 0.70710678118654752440) / 2;
}
SIMTLAB_HOST float normcdff(float a)
{
  return (float)::normcdf((double)a);
}
SIMTLAB_HOST double sinpi(double a)
{
  return ::sin(::fmod(a, 2) * 3.14159265358979323846);
}
SIMTLAB_HOST float sinpif(float a)
{
  return (float)::sinpi((double)a);
}
SIMTLAB_HOST double cospi(double a)
{
  return ::cos(::fmod(a, 2) * 3.14159265358979323846);
}
SIMTLAB_HOST float cospif(float a)
{
  return (float)::cospi((double)a);
}
#undef SIMTLAB_HOST

#endif
