/* Largest errors of the device library's functions against MPFR, in units of the last place, and their bounds. */
#include <mpfr.h>
#include <stdint.h>
#include <stdio.h>
#include <vector>

#ifndef POINTS
#define POINTS 2000
#endif
typedef int one_argument(mpfr_t, const mpfr_t, mpfr_rnd_t);

/* Evenly spaced and offset, so that no point is a special one */
static double point(int i, double low, double high)
{
  return low + (high - low) * (i + 0.37) / POINTS;
}

static double ulps(double got, mpfr_t exact, int digits)
{
  mpfr_t error;
  if (mpfr_zero_p(exact) || !mpfr_number_p(exact))
    return mpfr_cmp_d(exact, got) == 0 || (mpfr_nan_p(exact) && got != got) ? 0 : 1e9;
  mpfr_init2(error, 300);
  mpfr_d_sub(error, got, exact, MPFR_RNDN);
  /* An ulp of the exact value, which is 0.1... times 2 to its exponent; not below the least denormal number */
  const long least = digits == 24 ? -149 : -1074, unit = (long)mpfr_get_exp(exact) - digits;
  mpfr_mul_2si(error, error, -(unit > least ? unit : least), MPFR_RNDN);
  const double result = mpfr_number_p(error) ? mpfr_get_d(error, MPFR_RNDA) : 1e9;
  mpfr_clear(error);
  return result < 0 ? -result : result;
}

static int failures;
static void judge(const char *name, double worst, double at, double bound)
{
  printf("%-14s %8.3f of %5.2f%s\n", name, worst, bound, worst <= bound ? "" : "  EXCEEDED");
  if (!(worst <= bound)) {
    printf("  at %.17g\n", at);
    failures++;
  }
}

template <class T, class F>
static void test(const char *name, void (*kernel)(T *, int), F exact, double low, double high, double bound)
{
  std::vector<T> v(POINTS), r(POINTS);
  T *p;
  double worst = 0, at = 0;
  mpfr_t x, y;
  mpfr_inits2(300, x, y, (mpfr_ptr)0);
  for (int i = 0; i < POINTS; i++)
    v[i] = (T)point(i, low, high);
  cudaMalloc(&p, POINTS * sizeof(T));
  cudaMemcpy(p, v.data(), POINTS * sizeof(T), cudaMemcpyHostToDevice);
  kernel<<<(POINTS + 127) / 128, 128>>>(p, POINTS);
  if (cudaMemcpy(r.data(), p, POINTS * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess) {
    printf("%s: %s\n", name, cudaGetErrorString(cudaGetLastError()));
    failures++;
  }
  cudaFree(p);
  for (int i = 0; i < POINTS; i++) {
    mpfr_set_d(x, (double)v[i], MPFR_RNDN);
    exact(y, x);
    const double error = ulps((double)r[i], y, sizeof(T) == 4 ? 24 : 53);
    if (error > worst) {
      worst = error;
      at = (double)v[i];
    }
  }
  judge(name, worst, at, bound);
  mpfr_clears(x, y, (mpfr_ptr)0);
}

/* name, device expression of a, MPFR's statement of y and x, range, bounds of float and double */
#define FUNCTIONS(F)                                                                                                   \
  F(exp, exp(a), mpfr_exp(y, x, R), -10, 10, 1, 1)                                                                     \
  F(exp2, exp2(a), mpfr_exp2(y, x, R), -10, 10, 1, 1)                                                                  \
  F(exp10, exp10(a), mpfr_exp10(y, x, R), -10, 10, 2, 2)                                                               \
  F(expm1, expm1(a), mpfr_expm1(y, x, R), -10, 10, 1, 1)                                                               \
  F(log, log(a), mpfr_log(y, x, R), 0, 10, 1.25, 1)                                                                    \
  F(log2, log2(a), mpfr_log2(y, x, R), 0, 10, 1, 1)                                                                    \
  F(log10, log10(a), mpfr_log10(y, x, R), 0, 10, 2, 1)                                                                 \
  F(log1p, log1p(a), mpfr_log1p(y, x, R), -0.9, 10, 1, 1)                                                              \
  F(pow, pow(fabs(a), a), (mpfr_abs(y, x, R), mpfr_pow(y, y, x, R)), -10, 10, 1, 1)                                    \
  F(sin, sin(a), mpfr_sin(y, x, R), -100, 100, 1.5, 1.5)                                                               \
  F(cos, cos(a), mpfr_cos(y, x, R), -100, 100, 1.5, 1.5)                                                               \
  F(tan, tan(a), mpfr_tan(y, x, R), -10, 10, 2.5, 2)                                                                   \
  F(asin, asin(a), mpfr_asin(y, x, R), -1, 1, 2, 2)                                                                    \
  F(acos, acos(a), mpfr_acos(y, x, R), -1, 1, 2, 2)                                                                    \
  F(atan, atan(a), mpfr_atan(y, x, R), -10, 10, 2, 2)                                                                  \
  F(atan2, atan2(a, (T)3), (mpfr_set_d(y, 3, R), mpfr_atan2(y, x, y, R)), -10, 10, 2.5, 2)                             \
  F(sinh, sinh(a), mpfr_sinh(y, x, R), -10, 10, 3, 2)                                                                  \
  F(cosh, cosh(a), mpfr_cosh(y, x, R), -10, 10, 2, 2)                                                                  \
  F(tanh, tanh(a), mpfr_tanh(y, x, R), -10, 10, 2, 2)                                                                  \
  F(asinh, asinh(a), mpfr_asinh(y, x, R), -10, 10, 3, 2)                                                               \
  F(acosh, acosh(a), mpfr_acosh(y, x, R), 1, 10, 4, 2)                                                                 \
  F(atanh, atanh(a), mpfr_atanh(y, x, R), -1, 1, 3, 2)                                                                 \
  F(cbrt, cbrt(a), mpfr_cbrt(y, x, R), -10, 10, 1, 1)                                                                  \
  F(sqrt, sqrt(a), mpfr_sqrt(y, x, R), 0, 10, 0.5, 0.5)                                                                \
  F(rsqrt, rsqrt(a), mpfr_rec_sqrt(y, x, R), 0, 10, 2, 1)                                                              \
  F(hypot, hypot(a, (T)3), (mpfr_set_d(y, 3, R), mpfr_hypot(y, x, y, R)), -10, 10, 3, 2)                               \
  F(erf, erf(a), mpfr_erf(y, x, R), -4, 4, 1, 1)                                                                       \
  F(erfc, erfc(a), mpfr_erfc(y, x, R), -4, 4, 4, 4)                                                                    \
  F(tgamma, tgamma(a), mpfr_gamma(y, x, R), 0, 20, 11, 8)                                                              \
  F(j0, (T)j0(a), mpfr_j0(y, x, R), 0, 2, 5, 7)                                                                        \
  F(j1, (T)j1(a), mpfr_j1(y, x, R), 0, 3, 5, 7)                                                                        \
  F(y0, (T)y0(a), mpfr_y0(y, x, R), 1, 3, 5, 9)                                                                        \
  F(normcdf, normcdf(a), normal(y, x), -5, 5, 5, 5)                                                                    \
  F(erfcx, erfcx(a), scaled(y, x), -2, 30, 4, 4)

static const mpfr_rnd_t R = MPFR_RNDN;
static void normal(mpfr_t y, const mpfr_t x)
{
  mpfr_set_d(y, 0.5, R);
  mpfr_sqrt(y, y, R);
  mpfr_mul(y, y, x, R);
  mpfr_neg(y, y, R);
  mpfr_erfc(y, y, R);
  mpfr_div_si(y, y, 2, R);
}
static void scaled(mpfr_t y, const mpfr_t x)
{
  mpfr_t e;
  mpfr_init2(e, 300);
  mpfr_sqr(e, x, R);
  mpfr_exp(e, e, R);
  mpfr_erfc(y, x, R);
  mpfr_mul(y, y, e, R);
  mpfr_clear(e);
}

#define KERNEL(name, expression, statement, low, high, bound_f, bound_d)                                               \
  template <class T> __global__ void kernel_##name(T *p, int n)                                                        \
  {                                                                                                                    \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                               \
    if (i < n) {                                                                                                       \
      const T a = p[i];                                                                                                \
      p[i] = (T)(expression);                                                                                          \
    }                                                                                                                  \
  }
FUNCTIONS(KERNEL)
__global__ void kernel_fast_exp(float *p, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = __expf(p[i]);
}
__global__ void kernel_erfinv(double *p, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = erf(erfinv(p[i]));
}

int main()
{
#define TEST(name, expression, statement, low, high, bound_f, bound_d)                                                 \
  test<float>(                                                                                                         \
      #name "f", kernel_##name<float>, [](mpfr_t y, mpfr_t x) { statement; }, low, high, bound_f);                     \
  test<double>(                                                                                                        \
      #name, kernel_##name<double>, [](mpfr_t y, mpfr_t x) { statement; }, low, high, bound_d);
  FUNCTIONS(TEST)
  test<float>(
      "__expf", kernel_fast_exp, [](mpfr_t y, mpfr_t x) { mpfr_exp(y, x, R); }, -10, 10, 8);
  test<double>(
      "erf(erfinv)", kernel_erfinv, [](mpfr_t y, mpfr_t x) { mpfr_set(y, x, R); }, -0.9, 0.9, 5);
  printf("%d functions out of bounds\n", failures);
  return failures != 0;
}
