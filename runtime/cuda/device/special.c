/* Special functions: inverses of the error function, the normal distribution, Bessel functions. Functions of float
 * compute in double. */
#include "device.h"

#define PI 3.14159265358979323846
#define SQRT_PI 1.77245385090551602730
#define EULER 0.57721566490153286061

/* Finds t with erfc(t) = y for 0 < y <= 1 by Halley's iteration. */
static double erfc_inverse(double y)
{
  double t;
  if (y > 0.5) {
    t = (1 - y) * SQRT_PI / 2;
    t += t * t * t / 3;
  } else {
    const double l = __builtin_sqrt(-2 * clc_log(y / 2));
    t = 0.70711 * (l - (2.30753 + l * 0.27061) / (1 + l * (0.99229 + l * 0.04481)));
  }
  for (int i = 0; i < 4; i++) {
    const double error = y > 0.5 ? (1 - y) - clc_erf(t) : clc_erfc(t) - y;
    const double slope = 2 / SQRT_PI * clc_exp(-t * t);
    t += error / (slope - t * error);
  }
  return t;
}

double __nv_erfcinv(double y)
{
  if (!(y >= 0 && y <= 2))
    return NOT_A_NUMBER;
  if (y == 0 || y == 2)
    return y == 0 ? INFINITE : -INFINITE;
  return y <= 1 ? erfc_inverse(y) : -erfc_inverse(2 - y);
}
double __nv_erfinv(double x)
{
  const double size = __builtin_fabs(x);
  if (!(size <= 1))
    return NOT_A_NUMBER;
  if (size == 1)
    return x * INFINITE;
  if (size >= 0.5)
    return __builtin_copysign(erfc_inverse(1 - size), x);
  double t = size * SQRT_PI / 2;
  t += t * t * t / 3;
  for (int i = 0; i < 3; i++) {
    const double error = clc_erf(t) - size;
    t -= error / (2 / SQRT_PI * clc_exp(-t * t) + t * error);
  }
  return __builtin_copysign(size < 0x1p-30 ? size * (SQRT_PI / 2) : t, x);
}
double __nv_erfcx(double x)
{
  if (x < 10) {
    const double square = x * x, rest = __builtin_fma(x, x, -square);
    return x < -26.7 ? INFINITE : clc_exp(square) * (1 + rest) * clc_erfc(x);
  }
  if (x > 1e8)
    return 1 / (x * SQRT_PI);
  double sum = 1, term = 1;
  for (int k = 1; k <= 20; k++) {
    term *= -(2 * k - 1) / (2 * x * x);
    sum += term;
  }
  return sum / (x * SQRT_PI);
}
double __nv_normcdf(double x)
{
  const double half = 0x1.6a09e667f3bcdp-1, rest = -0x1.bdd3413b26456p-55; /* the square root of 1/2 in two parts */
  const double high = -x * half, low = __builtin_fma(-x, half, -high) - x * rest;
  if (!(x > -40))
    return x <= -40 ? 0 : x;
  return 0.5 * (clc_erfc(high) - 2 / SQRT_PI * clc_exp(-high * high) * low);
}
double __nv_normcdfinv(double p)
{
  return -1.41421356237309504880 * __nv_erfcinv(2 * p);
}

/* Bessel functions of the first kind for x < 25: backward recurrence from far above, normalised by
 * J0 + 2 J2 + 2 J4 + ... = 1. The sums give Y0 and Y1 (Neumann's series). */
struct bessel {
  double jn, j0, j1, even, odd;
};

static struct bessel recur(int n, double x)
{
  struct bessel b = {0, 0, 0, 0, 0};
  double above = 0, here = 1e-300, sum = 0;
  int start = (int)x > n ? (int)x : n;
  start = 2 * ((start + 40 + (int)(2 * __builtin_sqrt(40.0 * start))) / 2);
  for (int k = start; k >= 0; k--) {
    if (k == n)
      b.jn = here;
    if (k == 1)
      b.j1 = here;
    if (k == 0)
      b.j0 = here;
    if (k % 2 == 0) {
      sum += k == 0 ? here : 2 * here;
      if (k > 0)
        b.even += ((k / 2) % 2 == 0 ? here : -here) / (k / 2);
    } else if (k > 1) {
      const double half = (k - 1) / 2;
      b.odd += ((k / 2) % 2 == 0 ? here : -here) * k / (half * (half + 1));
    }
    const double below = 2 * k / x * here - above;
    above = here;
    here = below;
    if (__builtin_fabs(here) > 1e200) {
      const double scale = 1e-200;
      above *= scale;
      here *= scale;
      sum *= scale;
      b.jn *= scale;
      b.j1 *= scale;
      b.even *= scale;
      b.odd *= scale;
    }
  }
  b.jn /= sum;
  b.j0 /= sum;
  b.j1 /= sum;
  b.even /= sum;
  b.odd /= sum;
  return b;
}

/* Hankel's expansion for x >= 25: the amplitude's two series. */
static void hankel(int n, double x, double *p, double *q)
{
  double term = 1;
  *p = 1;
  *q = 0;
  for (int k = 1; k <= 30; k++) {
    term *= (4.0 * n * n - (2.0 * k - 1) * (2.0 * k - 1)) / (8 * x * k);
    if (k % 2 == 1)
      *q += k % 4 == 1 ? term : -term;
    else
      *p += k % 4 == 0 ? term : -term;
  }
}

/* J (second: Y) of order 0 and 1 for x >= 25. The phase x - pi/4 (- pi/2) comes from sums of sine and cosine. */
static double far(int n, double x, int second)
{
  double p, q;
  const double s = clc_sin(x), c = clc_cos(x), scale = 1 / __builtin_sqrt(PI * x);
  const double cosine = n == 0 ? c + s : s - c, sine = n == 0 ? s - c : -(c + s);
  hankel(n, x, &p, &q);
  return scale * (second ? p * sine + q * cosine : p * cosine - q * sine);
}

double __nv_jn(int n, double x)
{
  const double size = __builtin_fabs(x);
  if (n < 0 || x != x)
    return NOT_A_NUMBER;
  if (__builtin_isinf(x) || (size == 0 && n > 0))
    return 0;
  if (size == 0)
    return 1;
  double j;
  if (size < 1e-150)
    j = n == 0 ? 1 : n == 1 ? size / 2 : 0;
  else if (size < 25 || n >= size)
    j = recur(n, size).jn;
  else if (n < 2)
    j = far(n, size, 0);
  else {
    double below = far(0, size, 0);
    j = far(1, size, 0);
    for (int k = 1; k < n; k++) {
      const double above = 2 * k / size * j - below;
      below = j;
      j = above;
    }
  }
  return x < 0 && n % 2 == 1 ? -j : j;
}
double __nv_j0(double x)
{
  return __nv_jn(0, x);
}
double __nv_j1(double x)
{
  return __nv_jn(1, x);
}

double __nv_yn(int n, double x)
{
  double y0, y1;
  if (n < 0 || x != x || x < 0)
    return NOT_A_NUMBER;
  if (x == 0)
    return -INFINITE;
  if (__builtin_isinf(x))
    return 0;
  if (x < 25) {
    const struct bessel b = x < 1e-150 ? (struct bessel){0, 1, x / 2, 0, 0} : recur(0, x);
    const double logarithm = clc_log(x / 2) + EULER;
    y0 = 2 / PI * (logarithm * b.j0 - 2 * b.even);
    y1 = 2 / PI * ((logarithm - 1) * b.j1 - 1 / x - b.odd);
  } else {
    y0 = far(0, x, 1);
    y1 = far(1, x, 1);
  }
  if (n == 0)
    return y0;
  for (int k = 1; k < n; k++) {
    const double above = 2 * k / x * y1 - y0;
    y0 = y1;
    y1 = above;
  }
  return y1;
}
double __nv_y0(double x)
{
  return __nv_yn(0, x);
}
double __nv_y1(double x)
{
  return __nv_yn(1, x);
}

/* Modified Bessel functions: the power series has positive terms only; far out the asymptotic one. */
static double modified(int n, double x)
{
  const double size = __builtin_fabs(x);
  double sum = 1, term = 1;
  if (x != x || __builtin_isinf(x))
    return n == 1 ? x : size;
  if (size < 30) {
    const double quarter = size * size / 4;
    for (int k = 1; k < 200 && term > sum * 0x1p-56; k++) {
      term *= quarter / ((double)k * (k + n));
      sum += term;
    }
    return n == 0 ? sum : sum * x / 2;
  }
  for (int k = 1; k <= 30; k++) {
    term *= -(4.0 * n * n - (2.0 * k - 1) * (2.0 * k - 1)) / (8 * size * k);
    sum += term;
  }
  const double half = clc_exp(size / 2), value = half * (sum / __builtin_sqrt(2 * PI * size)) * half;
  return n == 1 ? __builtin_copysign(value, x) : value;
}
double __nv_cyl_bessel_i0(double x)
{
  return modified(0, x);
}
double __nv_cyl_bessel_i1(double x)
{
  return modified(1, x);
}

#define IN_DOUBLE(name)                                                                                                \
  float __nv_##name##f(float x)                                                                                        \
  {                                                                                                                    \
    return (float)__nv_##name((double)x);                                                                              \
  }
IN_DOUBLE(erfcinv)
IN_DOUBLE(erfinv)
IN_DOUBLE(erfcx)
IN_DOUBLE(normcdf)
IN_DOUBLE(normcdfinv)
IN_DOUBLE(j0)
IN_DOUBLE(j1)
IN_DOUBLE(y0)
IN_DOUBLE(y1)
IN_DOUBLE(cyl_bessel_i0)
IN_DOUBLE(cyl_bessel_i1)
float __nv_jnf(int n, float x)
{
  return (float)__nv_jn(n, (double)x);
}
float __nv_ynf(int n, float x)
{
  return (float)__nv_yn(n, (double)x);
}
