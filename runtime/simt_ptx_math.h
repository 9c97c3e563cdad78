/* CUDA's mathematical functions: minimum and maximum of all types, bit operations, and those f32 and f64 functions that
 * the machine implements in one or a few instructions. expf and logf are within 2 ulp where the result is a normal
 * number. */
#ifndef SIMT_PTX_MATH_H
#define SIMT_PTX_MATH_H

#define SIMT_PTX_LEAST_(type)                                                                                          \
  SIMT_PTX_ type min(type a, type b)                                                                                   \
  {                                                                                                                    \
    return b < a ? b : a;                                                                                              \
  }                                                                                                                    \
  SIMT_PTX_ type max(type a, type b)                                                                                   \
  {                                                                                                                    \
    return a < b ? b : a;                                                                                              \
  }
SIMT_PTX_LEAST_(int)
SIMT_PTX_LEAST_(unsigned)
SIMT_PTX_LEAST_(long long)
SIMT_PTX_LEAST_(unsigned long long)

SIMT_PTX_ int abs(int v)
{
  return v < 0 ? -v : v;
}
SIMT_PTX_ int __ffs(int v)
{
  return __builtin_ffs(v);
}
SIMT_PTX_ int __popcll(unsigned long long v)
{
  return __builtin_popcountll(v);
}
SIMT_PTX_ int __clzll(long long v)
{
  return v ? __builtin_clzll((unsigned long long)v) : 64;
}
SIMT_PTX_ int __mulhi(int a, int b)
{
  return (int)((long long)a * b >> 32);
}
SIMT_PTX_ unsigned __umulhi(unsigned a, unsigned b)
{
  return (unsigned)((unsigned long long)a * b >> 32);
}

/* Reinterprets the bits as another type. */
#define SIMT_PTX_BITS_(name, to, from)                                                                                 \
  SIMT_PTX_ to name(from v)                                                                                            \
  {                                                                                                                    \
    return __builtin_bit_cast(to, v);                                                                                  \
  }
SIMT_PTX_BITS_(__float_as_int, int, float)
SIMT_PTX_BITS_(__float_as_uint, unsigned, float)
SIMT_PTX_BITS_(__int_as_float, float, int)
SIMT_PTX_BITS_(__uint_as_float, float, unsigned)
SIMT_PTX_BITS_(__double_as_longlong, long long, double)
SIMT_PTX_BITS_(__longlong_as_double, double, long long)

#define SIMT_PTX_ROUNDS_(name)                                                                                         \
  SIMT_PTX_ float name##f(float v)                                                                                     \
  {                                                                                                                    \
    return __builtin_##name##f(v);                                                                                     \
  }                                                                                                                    \
  SIMT_PTX_ double name(double v)                                                                                      \
  {                                                                                                                    \
    return __builtin_##name(v);                                                                                        \
  }
SIMT_PTX_ROUNDS_(fabs)
SIMT_PTX_ROUNDS_(floor)
SIMT_PTX_ROUNDS_(ceil)
SIMT_PTX_ROUNDS_(trunc)
SIMT_PTX_ROUNDS_(rint)

#define SIMT_PTX_OF_TWO_(name)                                                                                         \
  SIMT_PTX_ float name##f(float a, float b)                                                                            \
  {                                                                                                                    \
    return __builtin_##name##f(a, b);                                                                                  \
  }                                                                                                                    \
  SIMT_PTX_ double name(double a, double b)                                                                            \
  {                                                                                                                    \
    return __builtin_##name(a, b);                                                                                     \
  }
SIMT_PTX_OF_TWO_(fmin)
SIMT_PTX_OF_TWO_(fmax)
SIMT_PTX_OF_TWO_(copysign)
SIMT_PTX_ float min(float a, float b)
{
  return fminf(a, b);
}
SIMT_PTX_ float max(float a, float b)
{
  return fmaxf(a, b);
}
SIMT_PTX_ double min(double a, double b)
{
  return fmin(a, b);
}
SIMT_PTX_ double max(double a, double b)
{
  return fmax(a, b);
}

SIMT_PTX_ float fmaf(float a, float b, float c)
{
  return __builtin_fmaf(a, b, c);
}
SIMT_PTX_ double fma(double a, double b, double c)
{
  return __builtin_fma(a, b, c);
}
SIMT_PTX_ float sqrtf(float v)
{
  return __nvvm_sqrt_rn_f(v);
}
SIMT_PTX_ double sqrt(double v)
{
  return __nvvm_sqrt_rn_d(v);
}

/* Functions that use the machine's approximations. */
#define SIMT_PTX_REAL_(name, builtin)                                                                                  \
  SIMT_PTX_ float name(float v)                                                                                        \
  {                                                                                                                    \
    return builtin(v);                                                                                                 \
  }
SIMT_PTX_REAL_(rsqrtf, __nvvm_rsqrt_approx_f)
SIMT_PTX_REAL_(exp2f, __nvvm_ex2_approx_f)
SIMT_PTX_REAL_(log2f, __nvvm_lg2_approx_f)
SIMT_PTX_REAL_(__sinf, __nvvm_sin_approx_f)
SIMT_PTX_REAL_(__cosf, __nvvm_cos_approx_f)
SIMT_PTX_ float __expf(float v)
{
  return exp2f(v * 1.44269504f);
}
SIMT_PTX_ float __logf(float v)
{
  return log2f(v) * 0.693147181f;
}
SIMT_PTX_ float __powf(float a, float b)
{
  return exp2f(b * log2f(a));
}

/* e^v = 2^n * 2^f, with log2 e in two parts. */
SIMT_PTX_ float expf(float v)
{
  const float high = 1.44269504f, low = 1.92596299e-8f;
  const float n = rintf(v * high);
  const float f = fmaf(v, low, fmaf(v, high, -n));
  const float half = rintf(n * 0.5f);
  return n > 256 || n < -256 ? exp2f(n) : exp2f(f) * exp2f(half) * exp2f(n - half);
}
/* log v = n log 2 + log m, m near 1, by the series of the inverse hyperbolic tangent. */
SIMT_PTX_ float logf(float v)
{
  if (!(v > 0) || v > 3.402823466e38f)
    return v == 0 ? -__builtin_inff() : v > 0 ? v : __builtin_nanf("");
  const float scale = v < 1.17549435e-38f ? 8388608.0f : 1.0f;
  const int bits = __float_as_int(v * scale);
  const int n = (bits - 0x3f3504f3) >> 23;
  const float m = __int_as_float(bits - n * (1 << 23));
  const float s = (m - 1) / (m + 1), q = s * s;
  const float more = q * fmaf(q, fmaf(q, fmaf(q, 0.222221985f, 0.285714286f), 0.4f), 0.666666667f);
  const float exponent = (float)n - (scale > 1 ? 23.0f : 0.0f);
  return fmaf(exponent, 0.693147182f, fmaf(exponent, -1.90465421e-9f, fmaf(s, more, 2 * s)));
}

#endif
