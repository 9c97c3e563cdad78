// <math.h> for 64-bit Vortex instructions, which keep floats in integer registers. The C library's classification
// macros then call functions with branches, at which the lanes of a Vortex warp must not diverge. These macros use
// compiler builtins, which need no branch.

#pragma GCC system_header
#include_next <math.h>

#if defined SIMT_VORTEX && !defined __riscv_flen && !defined SIMT_MATH_H
#define SIMT_MATH_H

#undef fpclassify
#undef isfinite
#undef isinf
#undef isnan
#undef isnormal
#undef issubnormal
#undef iszero
#undef signbit
#undef isgreater
#undef isgreaterequal
#undef isless
#undef islessequal
#undef islessgreater
#undef isunordered
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isnan(x) __builtin_isnan(x)
#define isnormal(x) __builtin_isnormal(x)
#define issubnormal(x) (fpclassify(x) == FP_SUBNORMAL)
#define iszero(x) ((x) == 0)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)

#endif
