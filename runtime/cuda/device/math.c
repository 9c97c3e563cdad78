/* Elementary functions: libclc's, or instructions. */
#include "device.h"

#define FORWARD1(name, length)                                                                                         \
  float __nv_##name##f(float a)                                                                                        \
  {                                                                                                                    \
    return clc_##name##f(a);                                                                                           \
  }                                                                                                                    \
  double __nv_##name(double a)                                                                                         \
  {                                                                                                                    \
    return clc_##name(a);                                                                                              \
  }
#define FORWARD2(name, length)                                                                                         \
  float __nv_##name##f(float a, float b)                                                                               \
  {                                                                                                                    \
    return clc_##name##f(a, b);                                                                                        \
  }                                                                                                                    \
  double __nv_##name(double a, double b)                                                                               \
  {                                                                                                                    \
    return clc_##name(a, b);                                                                                           \
  }
ONES(FORWARD1)
TWOS(FORWARD2)

/* Functions that are an expression of a (and b), the same for both types. F: the suffix f, or none. */
#define BOTH1(name, expression, expression_f)                                                                          \
  double __nv_##name(double a)                                                                                         \
  {                                                                                                                    \
    return expression;                                                                                                 \
  }                                                                                                                    \
  float __nv_##name##f(float a)                                                                                        \
  {                                                                                                                    \
    return expression_f;                                                                                               \
  }
#define BOTH2(name, expression, expression_f)                                                                          \
  double __nv_##name(double a, double b)                                                                               \
  {                                                                                                                    \
    return expression;                                                                                                 \
  }                                                                                                                    \
  float __nv_##name##f(float a, float b)                                                                               \
  {                                                                                                                    \
    return expression_f;                                                                                               \
  }
BOTH1(fabs, __builtin_fabs(a), __builtin_fabsf(a))
BOTH1(ceil, __builtin_ceil(a), __builtin_ceilf(a))
BOTH1(floor, __builtin_floor(a), __builtin_floorf(a))
BOTH1(trunc, __builtin_trunc(a), __builtin_truncf(a))
BOTH1(rint, __builtin_rint(a), __builtin_rintf(a))
BOTH1(nearbyint, __builtin_rint(a), __builtin_rintf(a))
BOTH1(round, __builtin_round(a), __builtin_roundf(a))
BOTH1(sqrt, __builtin_sqrt(a), __builtin_sqrtf(a))
BOTH1(rcbrt, 1 / clc_cbrt(a), 1 / clc_cbrtf(a))
BOTH2(copysign, __builtin_copysign(a, b), __builtin_copysignf(a, b))
BOTH2(fmax, __nvvm_fmax_d(a, b), __nvvm_fmax_f(a, b))
BOTH2(fmin, __nvvm_fmin_d(a, b), __nvvm_fmin_f(a, b))
BOTH2(fdim, a <= b ? 0 : a - b, a <= b ? 0 : a - b)
BOTH2(rhypot, 1 / clc_hypot(a, b), 1 / clc_hypotf(a, b))

/* One step of Newton's iteration, with the rest of a times y */
double __nv_rsqrt(double a)
{
  const double y = __nvvm_rcp_rn_d(__builtin_sqrt(a)), h = a * y, low = __builtin_fma(a, y, -h);
  const double rest = __builtin_fma(-h, y, 1) - low * y;
  return a > 0 && a < INFINITE ? __builtin_fma(y / 2, rest, y) : y;
}
float __nv_rsqrtf(float a)
{
  return __nvvm_rsqrt_approx_f(a);
}

double __nv_erfc(double a)
{
  return clc_erfc(a);
}
float __nv_erfcf(float a)
{
  return (float)clc_erfc((double)a);
}

/* a = 2^k m with m around 1, and log m = 2 atanh s with s = (m - 1) / (m + 1) in two parts. */
double __nv_log(double a)
{
  static const double ln2_high = 0x1.62e42fefa3800p-1, ln2_low = 0x1.ef35793c76730p-45;
  if (!(a > 0) || a == INFINITE)
    return a == 0 ? -INFINITE : a > 0 ? a : NOT_A_NUMBER;
  int k = clc_ilogb(a);
  double m = clc_ldexp(a, -k), p = 0;
  if (m > 1.41421356) {
    m /= 2;
    k++;
  }
  const double t = m + 1, t_low = m - (t - 1), s = (m - 1) / t, z = s * s;
  const double s_low = (__builtin_fma(-s, t, m - 1) - s * t_low) / t;
  for (int i = 23; i >= 3; i -= 2)
    p = __builtin_fma(p, z, 1.0 / i);
  const double high = k * ln2_high, sum = high + 2 * s, rest = high - sum + 2 * s;
  return sum + (rest + (k * ln2_low + 2 * (s_low + s * z * p)));
}
float __nv_logf(float a)
{
  return clc_logf(a);
}

/* Stirling's series for a >= 12; a smaller argument is raised by a product. */
static double gamma_of_positive(double a)
{
  static const double series[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                  1.0 / 1188, -691.0 / 360360, 1.0 / 156};
  double product = 1, low = 0, sum = 0;
  if (a > 172)
    return INFINITE;
  const double given = a;
  const int raised = a < 12 ? (int)(12 - a) + 1 : 0;
  for (int i = 0; i < raised; i++) {
    const double factor = given + i, next = product * factor;
    low = __builtin_fma(low, factor, __builtin_fma(product, factor, -next) + product * (given - (factor - i)));
    product = next;
  }
  a = given + raised;
  const double lost = given - (a - raised); /* the raised argument's rounding, to first order */
  for (int i = 6; i >= 0; i--)
    sum = __builtin_fma(sum, 1 / (a * a), series[i]);
  const double half = clc_pow(a, a / 2 - 0.25);
  const double value = half * clc_exp(-a) * 2.50662827463100050242 * half * clc_exp(sum / a) / product;
  return __builtin_fma(value, lost * (clc_log(a) - 0.5 / a) - low / product, value);
}
double __nv_tgamma(double a)
{
  if (a > 0)
    return gamma_of_positive(a);
  if (a == 0)
    return 1 / a;
  if (a != a || a == -INFINITE || a == __builtin_floor(a))
    return NOT_A_NUMBER;
  if (a < -184)
    return clc_fmod(a, 2) < -1 ? 0.0 : -0.0;
  return 3.14159265358979323846 / (clc_sinpi(a) * gamma_of_positive(1 - a));
}
float __nv_tgammaf(float a)
{
  return (float)__nv_tgamma((double)a);
}

double __nv_fma(double a, double b, double c)
{
  return __builtin_fma(a, b, c);
}
float __nv_fmaf(float a, float b, float c)
{
  return __builtin_fmaf(a, b, c);
}

int __nv_ilogb(double a)
{
  return __builtin_isinf(a) ? 0x7fffffff : a == 0 || a != a ? (int)0x80000000 : clc_ilogb(a);
}
int __nv_ilogbf(float a)
{
  return __builtin_isinf(a) ? 0x7fffffff : a == 0 || a != a ? (int)0x80000000 : clc_ilogbf(a);
}
double __nv_ldexp(double a, int b)
{
  return clc_ldexp(a, b);
}
float __nv_ldexpf(float a, int b)
{
  return clc_ldexpf(a, b);
}
double __nv_scalbn(double a, int b)
{
  return clc_ldexp(a, b);
}
float __nv_scalbnf(float a, int b)
{
  return clc_ldexpf(a, b);
}
double __nv_powi(double a, int b)
{
  return clc_pown(a, b);
}
float __nv_powif(float a, int b)
{
  return clc_pownf(a, b);
}
long long __nv_llrint(double a)
{
  return __nvvm_d2ll_rn(a);
}
long long __nv_llrintf(float a)
{
  return __nvvm_f2ll_rn(a);
}
long long __nv_llround(double a)
{
  return __nvvm_d2ll_rz(__builtin_round(a));
}
long long __nv_llroundf(float a)
{
  return __nvvm_f2ll_rz(__builtin_roundf(a));
}
double __nv_nan(const signed char *tag)
{
  return NOT_A_NUMBER;
}
float __nv_nanf(const signed char *tag)
{
  return __builtin_nanf("");
}

double __nv_modf(double a, double *whole)
{
  *whole = __builtin_trunc(a);
  return __builtin_copysign(__builtin_isinf(a) ? 0 : a - *whole, a);
}
float __nv_modff(float a, float *whole)
{
  *whole = __builtin_truncf(a);
  return __builtin_copysignf(__builtin_isinf(a) ? 0 : a - *whole, a);
}
double __nv_frexp(double a, int *exponent)
{
  *exponent = 0;
  if (a == 0 || __builtin_isinf(a) || a != a)
    return a;
  *exponent = clc_ilogb(a) + 1;
  return clc_ldexp(a, -*exponent);
}
float __nv_frexpf(float a, int *exponent)
{
  *exponent = 0;
  if (a == 0 || __builtin_isinf(a) || a != a)
    return a;
  *exponent = clc_ilogbf(a) + 1;
  return clc_ldexpf(a, -*exponent);
}

/* The quotient's low bits: those of the remainder's quotient modulo 8. */
double __nv_remquo(double a, double b, int *quotient)
{
  const double rest = clc_fmod(a, 8 * b), nearest = clc_remainder(a, b);
  const int bits = __nvvm_d2i_rn((rest - nearest) / b);
  *quotient = bits % 8;
  return nearest;
}
float __nv_remquof(float a, float b, int *quotient)
{
  const float nearest = clc_remainderf(a, b);
  *quotient = __nvvm_d2i_rn((clc_fmod(a, 8 * (double)b) - (double)nearest) / (double)b) % 8;
  return nearest;
}

#define SINCOS(name, sine, cosine, type)                                                                               \
  void __nv_##name(type a, type *s, type *c)                                                                           \
  {                                                                                                                    \
    *s = sine(a);                                                                                                      \
    *c = cosine(a);                                                                                                    \
  }
SINCOS(sincos, clc_sin, clc_cos, double)
SINCOS(sincosf, clc_sinf, clc_cosf, float)
SINCOS(sincospi, clc_sinpi, clc_cospi, double)
SINCOS(sincospif, clc_sinpif, clc_cospif, float)

/* The special function unit. */
float __nv_fast_sinf(float a)
{
  return __nvvm_sin_approx_f(a);
}
float __nv_fast_cosf(float a)
{
  return __nvvm_cos_approx_f(a);
}
void __nv_fast_sincosf(float a, float *s, float *c)
{
  *s = __nvvm_sin_approx_f(a);
  *c = __nvvm_cos_approx_f(a);
}
float __nv_fast_tanf(float a)
{
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a));
}
float __nv_fast_log2f(float a)
{
  return __nvvm_lg2_approx_f(a);
}
float __nv_fast_logf(float a)
{
  return __nvvm_lg2_approx_f(a) * 0x1.62e43p-1f;
}
float __nv_fast_log10f(float a)
{
  return __nvvm_lg2_approx_f(a) * 0x1.344136p-2f;
}
float __nv_fast_expf(float a)
{
  return __nvvm_ex2_approx_f(a * 0x1.715476p+0f);
}
float __nv_fast_exp10f(float a)
{
  return __nvvm_ex2_approx_f(a * 0x1.a934f0p+1f);
}
float __nv_fast_powf(float a, float b)
{
  return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a));
}
float __nv_fast_fdividef(float a, float b)
{
  return __nvvm_div_approx_f(a, b);
}
float __nv_saturatef(float a)
{
  return __nvvm_fmin_f(__nvvm_fmax_f(a, 0), 1);
}

/* Lengths of vectors: scaled by a power of two, so that squares neither overflow nor vanish. */
static double length(int dim, const double *v)
{
  double largest = 0, sum = 0;
  for (int i = 0; i < dim; i++) {
    if (__builtin_isinf(v[i]))
      return INFINITE;
    largest = __nvvm_fmax_d(largest, __builtin_fabs(v[i]));
  }
  if (largest == 0)
    return dim > 0 ? v[0] * v[0] : 0;
  const int scale = clc_ilogb(largest);
  for (int i = 0; i < dim; i++) {
    const double scaled = clc_ldexp(v[i], -scale);
    sum = __builtin_fma(scaled, scaled, sum);
  }
  return clc_ldexp(__builtin_sqrt(sum), scale);
}
static double length_f(int dim, const float *v)
{
  double sum = 0;
  for (int i = 0; i < dim; i++) {
    if (__builtin_isinf(v[i]))
      return INFINITE;
    sum = __builtin_fma((double)v[i], (double)v[i], sum);
  }
  return __builtin_sqrt(sum);
}
double __nv_norm(int dim, const double *v)
{
  return length(dim, v);
}
double __nv_rnorm(int dim, const double *v)
{
  return 1 / length(dim, v);
}
float __nv_normf(int dim, const float *v)
{
  return (float)length_f(dim, v);
}
float __nv_rnormf(int dim, const float *v)
{
  return (float)(1 / length_f(dim, v));
}
double __nv_norm3d(double a, double b, double c)
{
  const double v[] = {a, b, c};
  return length(3, v);
}
double __nv_rnorm3d(double a, double b, double c)
{
  const double v[] = {a, b, c};
  return 1 / length(3, v);
}
float __nv_norm3df(float a, float b, float c)
{
  const float v[] = {a, b, c};
  return (float)length_f(3, v);
}
float __nv_rnorm3df(float a, float b, float c)
{
  const float v[] = {a, b, c};
  return (float)(1 / length_f(3, v));
}
double __nv_norm4d(double a, double b, double c, double d)
{
  const double v[] = {a, b, c, d};
  return length(4, v);
}
double __nv_rnorm4d(double a, double b, double c, double d)
{
  const double v[] = {a, b, c, d};
  return 1 / length(4, v);
}
float __nv_norm4df(float a, float b, float c, float d)
{
  const float v[] = {a, b, c, d};
  return (float)length_f(4, v);
}
float __nv_rnorm4df(float a, float b, float c, float d)
{
  const float v[] = {a, b, c, d};
  return (float)(1 / length_f(4, v));
}
