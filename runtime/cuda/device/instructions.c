/* Functions that are one instruction or two: arithmetic with a rounding, conversions, bits. */
#include "device.h"

/* CUDA's names of the roundings (rn rz rd ru) and PTX's (rn rz rm rp) */
#define ROUNDINGS(with, ...)                                                                                           \
  with(rn, rn, __VA_ARGS__) with(rz, rz, __VA_ARGS__) with(rd, rm, __VA_ARGS__) with(ru, rp, __VA_ARGS__)

#define ARITHMETIC(cuda, ptx, unused)                                                                                  \
  float __nv_fadd_##cuda(float a, float b)                                                                             \
  {                                                                                                                    \
    return __nvvm_add_##ptx##_f(a, b);                                                                                 \
  }                                                                                                                    \
  float __nv_fsub_##cuda(float a, float b)                                                                             \
  {                                                                                                                    \
    return __nvvm_add_##ptx##_f(a, -b);                                                                                \
  }                                                                                                                    \
  float __nv_fmul_##cuda(float a, float b)                                                                             \
  {                                                                                                                    \
    return __nvvm_mul_##ptx##_f(a, b);                                                                                 \
  }                                                                                                                    \
  float __nv_fdiv_##cuda(float a, float b)                                                                             \
  {                                                                                                                    \
    return __nvvm_div_##ptx##_f(a, b);                                                                                 \
  }                                                                                                                    \
  float __nv_frcp_##cuda(float a)                                                                                      \
  {                                                                                                                    \
    return __nvvm_rcp_##ptx##_f(a);                                                                                    \
  }                                                                                                                    \
  float __nv_fsqrt_##cuda(float a)                                                                                     \
  {                                                                                                                    \
    return __nvvm_sqrt_##ptx##_f(a);                                                                                   \
  }                                                                                                                    \
  float __nv_fmaf_##cuda(float a, float b, float c)                                                                    \
  {                                                                                                                    \
    return __nvvm_fma_##ptx##_f(a, b, c);                                                                              \
  }                                                                                                                    \
  float __nv_fmaf_ieee_##cuda(float a, float b, float c)                                                               \
  {                                                                                                                    \
    return __nvvm_fma_##ptx##_f(a, b, c);                                                                              \
  }                                                                                                                    \
  double __nv_dadd_##cuda(double a, double b)                                                                          \
  {                                                                                                                    \
    return __nvvm_add_##ptx##_d(a, b);                                                                                 \
  }                                                                                                                    \
  double __nv_dsub_##cuda(double a, double b)                                                                          \
  {                                                                                                                    \
    return __nvvm_add_##ptx##_d(a, -b);                                                                                \
  }                                                                                                                    \
  double __nv_dmul_##cuda(double a, double b)                                                                          \
  {                                                                                                                    \
    return __nvvm_mul_##ptx##_d(a, b);                                                                                 \
  }                                                                                                                    \
  double __nv_ddiv_##cuda(double a, double b)                                                                          \
  {                                                                                                                    \
    return __nvvm_div_##ptx##_d(a, b);                                                                                 \
  }                                                                                                                    \
  double __nv_drcp_##cuda(double a)                                                                                    \
  {                                                                                                                    \
    return __nvvm_rcp_##ptx##_d(a);                                                                                    \
  }                                                                                                                    \
  double __nv_dsqrt_##cuda(double a)                                                                                   \
  {                                                                                                                    \
    return __nvvm_sqrt_##ptx##_d(a);                                                                                   \
  }                                                                                                                    \
  double __nv_fma_##cuda(double a, double b, double c)                                                                 \
  {                                                                                                                    \
    return __nvvm_fma_##ptx##_d(a, b, c);                                                                              \
  }                                                                                                                    \
  float __nv_double2float_##cuda(double a)                                                                             \
  {                                                                                                                    \
    return __nvvm_d2f_##ptx(a);                                                                                        \
  }
ROUNDINGS(ARITHMETIC, )

#define CONVERSION(cuda, ptx, result, from, of, nvvm)                                                                  \
  result __nv_##from##_##cuda(of a)                                                                                    \
  {                                                                                                                    \
    return __nvvm_##nvvm##_##ptx(a);                                                                                   \
  }
ROUNDINGS(CONVERSION, int, float2int, float, f2i)
ROUNDINGS(CONVERSION, unsigned int, float2uint, float, f2ui)
ROUNDINGS(CONVERSION, long long, float2ll, float, f2ll)
ROUNDINGS(CONVERSION, unsigned long long, float2ull, float, f2ull)
ROUNDINGS(CONVERSION, int, double2int, double, d2i)
ROUNDINGS(CONVERSION, unsigned int, double2uint, double, d2ui)
ROUNDINGS(CONVERSION, long long, double2ll, double, d2ll)
ROUNDINGS(CONVERSION, unsigned long long, double2ull, double, d2ull)
ROUNDINGS(CONVERSION, float, int2float, int, i2f)
ROUNDINGS(CONVERSION, float, uint2float, unsigned int, ui2f)
ROUNDINGS(CONVERSION, float, ll2float, long long, ll2f)
ROUNDINGS(CONVERSION, float, ull2float, unsigned long long, ull2f)
ROUNDINGS(CONVERSION, double, ll2double, long long, ll2d)
ROUNDINGS(CONVERSION, double, ull2double, unsigned long long, ull2d)
CONVERSION(rn, rn, double, int2double, int, i2d)
CONVERSION(rn, rn, double, uint2double, unsigned int, ui2d)

/* Functions of one expression: result, name, parameters, expression */
#define IS(result, name, parameters, ...)                                                                              \
  result __nv_##name parameters                                                                                        \
  {                                                                                                                    \
    return __VA_ARGS__;                                                                                                \
  }
IS(float, frsqrt_rn, (float a), (float)(1 / __builtin_sqrt((double)a)))
IS(double, rcp64h, (double a), __nvvm_rcp_approx_ftz_d(a))

IS(int, float_as_int, (float a), __nvvm_bitcast_f2i(a))
IS(unsigned int, float_as_uint, (float a), (unsigned int)__nvvm_bitcast_f2i(a))
IS(float, int_as_float, (int a), __nvvm_bitcast_i2f(a))
IS(float, uint_as_float, (unsigned int a), __nvvm_bitcast_i2f((int)a))
IS(unsigned long long, double_as_longlong, (double a), (unsigned long long)__nvvm_bitcast_d2ll(a))
IS(double, longlong_as_double, (long long a), __nvvm_bitcast_ll2d(a))
IS(int, double2hiint, (double a), __nvvm_d2i_hi(a))
IS(int, double2loint, (double a), __nvvm_d2i_lo(a))
IS(double, hiloint2double, (int high, int low), __nvvm_lohi_i2d(low, high))

IS(int, isinff, (float a), __builtin_isinf(a) != 0)
IS(int, isinfd, (double a), __builtin_isinf(a) != 0)
IS(int, isnanf, (float a), a != a)
IS(int, isnand, (double a), a != a)
IS(int, finitef, (float a), __builtin_fabsf(a) < __builtin_inff())
IS(int, isfinited, (double a), __builtin_fabs(a) < __builtin_inf())
IS(int, signbitf, (float a), __nvvm_bitcast_f2i(a) < 0)
IS(int, signbitd, (double a), __nvvm_bitcast_d2ll(a) < 0)

IS(int, abs, (int a), a < 0 ? (int)-(unsigned int)a : a)
IS(long long, llabs, (long long a), a < 0 ? (long long)-(unsigned long long)a : a)
IS(int, max, (int a, int b), a > b ? a : b)
IS(int, min, (int a, int b), a < b ? a : b)
IS(unsigned int, umax, (unsigned int a, unsigned int b), a > b ? a : b)
IS(unsigned int, umin, (unsigned int a, unsigned int b), a < b ? a : b)
IS(long long, llmax, (long long a, long long b), a > b ? a : b)
IS(long long, llmin, (long long a, long long b), a < b ? a : b)
IS(unsigned long long, ullmax, (unsigned long long a, unsigned long long b), a > b ? a : b)
IS(unsigned long long, ullmin, (unsigned long long a, unsigned long long b), a < b ? a : b)
IS(int, brev, (int a), (int)__builtin_bitreverse32((unsigned int)a))
IS(long long, brevll, (long long a), (long long)__builtin_bitreverse64((unsigned long long)a))
IS(int, byte_perm, (int a, int b, int c), __nvvm_prmt(a, b, c))
IS(int, clz, (int a), a == 0 ? 32 : __builtin_clz((unsigned int)a))
IS(int, clzll, (long long a), a == 0 ? 64 : __builtin_clzll((unsigned long long)a))
IS(int, ffs, (int a), a == 0 ? 0 : __builtin_ctz((unsigned int)a) + 1)
IS(int, ffsll, (long long a), a == 0 ? 0 : __builtin_ctzll((unsigned long long)a) + 1)
IS(int, popc, (unsigned int a), __builtin_popcount(a))
IS(int, popcll, (unsigned long long a), __builtin_popcountll(a))
IS(int, mul24, (int a, int b), __nvvm_mul24_i(a, b))
IS(unsigned int, umul24, (unsigned int a, unsigned int b), (unsigned int)__nvvm_mul24_ui(a, b))
IS(int, mulhi, (int a, int b), __nvvm_mulhi_i(a, b))
IS(unsigned int, umulhi, (unsigned int a, unsigned int b), (unsigned int)__nvvm_mulhi_ui(a, b))
IS(long long, mul64hi, (long long a, long long b), __nvvm_mulhi_ll(a, b))
IS(unsigned long long, umul64hi, (unsigned long long a, unsigned long long b), __nvvm_mulhi_ull(a, b))
IS(int, sad, (int a, int b, int c),
   (int)((unsigned)c + (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a)))
IS(unsigned int, usad, (unsigned int a, unsigned int b, unsigned int c), c + (a > b ? a - b : b - a))
IS(int, hadd, (int a, int b), (int)(((long long)a + b) >> 1))
IS(int, rhadd, (int a, int b), (int)(((long long)a + b + 1) >> 1))
IS(int, uhadd, (unsigned int a, unsigned int b), (int)(((unsigned long long)a + b) >> 1))
IS(unsigned int, urhadd, (unsigned int a, unsigned int b), (unsigned int)(((unsigned long long)a + b + 1) >> 1))

unsigned short __nv_float2half_rn(float a)
{
  unsigned short h;
  __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(a));
  return h;
}
float __nv_half2float(unsigned short h)
{
  float a;
  __asm__("cvt.f32.f16 %0, %1;" : "=f"(a) : "h"(h));
  return a;
}
