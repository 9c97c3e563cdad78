/* The device library's functions, which Clang's CUDA headers call; and those of libclc that it builds on. */
#ifndef SIMTLAB_DEVICE_H
#define SIMTLAB_DEVICE_H

#define __DEVICE__
#define CUDA_VERSION 9010 /* as simtlab/language.h says it */
#include <__clang_cuda_libdevice_declares.h>

#define CLC1(name, length)                                                                                             \
  float clc_##name##f(float) __asm__("_Z" #length #name "f");                                                          \
  double clc_##name(double) __asm__("_Z" #length #name "d");
#define CLC2(name, length)                                                                                             \
  float clc_##name##f(float, float) __asm__("_Z" #length #name "ff");                                                  \
  double clc_##name(double, double) __asm__("_Z" #length #name "dd");
#define CLC2I(name, length)                                                                                            \
  float clc_##name##f(float, int) __asm__("_Z" #length #name "fi");                                                    \
  double clc_##name(double, int) __asm__("_Z" #length #name "di");

/* Functions of one and of two arguments with equal names and types in both libraries; length: of the name */
#define ONES(with)                                                                                                     \
  with(acos, 4) with(acosh, 5) with(asin, 4) with(asinh, 5) with(atan, 4) with(atanh, 5) with(cbrt, 4) with(cos, 3)    \
      with(cosh, 4) with(cospi, 5) with(erf, 3) with(exp, 3) with(exp10, 5) with(exp2, 4) with(expm1, 5)               \
          with(lgamma, 6) with(log10, 5) with(log1p, 5) with(log2, 4) with(logb, 4) with(sin, 3) with(sinh, 4)         \
              with(sinpi, 5) with(tan, 3) with(tanh, 4)
#define TWOS(with) with(atan2, 5) with(fmod, 4) with(hypot, 5) with(nextafter, 9) with(pow, 3) with(remainder, 9)
ONES(CLC1)
CLC1(erfc, 4)
CLC1(log, 3)
TWOS(CLC2)
CLC2I(ldexp, 5)
CLC2I(pown, 4)
int clc_ilogbf(float) __asm__("_Z5ilogbf");
int clc_ilogb(double) __asm__("_Z5ilogbd");

#define INFINITE __builtin_inf()
#define NOT_A_NUMBER __builtin_nan("")

#endif
