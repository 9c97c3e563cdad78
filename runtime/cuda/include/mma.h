/* Matrix operations of a warp: CUDA C++ Programming Guide, "Warp Matrix Functions". Each function is one instruction of
 * PTX ISA 9.7.14 (wmma); the layout of a fragment is the machine's (docs/how-to/ptx.md). */
#ifndef SIMTLAB_CUDA_MMA_H
#define SIMTLAB_CUDA_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#if defined __CUDA__ && defined __cplusplus

namespace nvcuda
{
namespace wmma
{
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32;
}

template <typename T, int N, int Registers> struct simtlab_fragment {
  enum { num_elements = N, num_storage_elements = N, registers = Registers };
  typedef T element_type;
  typedef T storage_element_type;
  __align__(8) T x[N];
};

template <typename Use, int m, int n, int k, typename T, typename Layout = void> class fragment;

#define SIMTLAB_FRAGMENT(use, m, n, k, type, layout, element, count, registers)                                        \
  template <> class fragment<use, m, n, k, type, layout> : public simtlab_fragment<element, count, registers>          \
  {                                                                                                                    \
  };

/* Operands with names x0, x1, ...: the list in the text, outputs and inputs. */
#define SIMTLAB_LIST1(x) "{%[" #x "0]}"
#define SIMTLAB_LIST2(x) "{%[" #x "0],%[" #x "1]}"
#define SIMTLAB_LIST4(x) "{%[" #x "0],%[" #x "1],%[" #x "2],%[" #x "3]}"
#define SIMTLAB_LIST8(x) "{%[" #x "0],%[" #x "1],%[" #x "2],%[" #x "3],%[" #x "4],%[" #x "5],%[" #x "6],%[" #x "7]}"
#define SIMTLAB_OUT1(x, c, r) [x##0] "=" c(r[0])
#define SIMTLAB_OUT2(x, c, r) SIMTLAB_OUT1(x, c, r), [x##1] "=" c(r[1])
#define SIMTLAB_OUT4(x, c, r) SIMTLAB_OUT2(x, c, r), [x##2] "=" c(r[2]), [x##3] "=" c(r[3])
#define SIMTLAB_OUT8(x, c, r)                                                                                          \
  SIMTLAB_OUT4(x, c, r), [x##4] "=" c(r[4]), [x##5] "=" c(r[5]), [x##6] "=" c(r[6]), [x##7] "=" c(r[7])
#define SIMTLAB_IN1(x, c, r) [x##0] c(r[0])
#define SIMTLAB_IN2(x, c, r) SIMTLAB_IN1(x, c, r), [x##1] c(r[1])
#define SIMTLAB_IN4(x, c, r) SIMTLAB_IN2(x, c, r), [x##2] c(r[2]), [x##3] c(r[3])
#define SIMTLAB_IN8(x, c, r) SIMTLAB_IN4(x, c, r), [x##4] c(r[4]), [x##5] c(r[5]), [x##6] c(r[6]), [x##7] c(r[7])

/* The types of registers, by their constraint. */
typedef unsigned __attribute__((may_alias)) simtlab_r;
typedef float __attribute__((may_alias)) simtlab_f;
typedef double __attribute__((may_alias)) simtlab_d;

/* A matrix a or b in memory. */
#define SIMTLAB_LOAD(use, letter, m, n, k, type, layout, order, element, memory, ptx, count, registers, c)             \
  SIMTLAB_FRAGMENT(use, m, n, k, type, layout, element, count, registers)                                              \
  static __device__ __forceinline__ void load_matrix_sync(fragment<use, m, n, k, type, layout> &f, const memory *p,    \
                                                          unsigned stride)                                             \
  {                                                                                                                    \
    simtlab_##c *r = (simtlab_##c *)f.x;                                                                               \
    asm volatile("wmma.load." #letter ".sync.aligned." #order ".m" #m "n" #n "k" #k "." #ptx                           \
                 " " SIMTLAB_LIST##registers(x) ", [%[p]], %[s];"                                                      \
                 : SIMTLAB_OUT##registers(x, #c, r)                                                                    \
                 : [p] "l"(p), [s] "r"(stride)                                                                         \
                 : "memory");                                                                                          \
  }
#define SIMTLAB_LOADS(m, n, k, type, element, memory, ptx, count_a, ra, count_b, rb, c)                                \
  SIMTLAB_LOAD(matrix_a, a, m, n, k, type, row_major, row, element, memory, ptx, count_a, ra, c)                       \
  SIMTLAB_LOAD(matrix_a, a, m, n, k, type, col_major, col, element, memory, ptx, count_a, ra, c)                       \
  SIMTLAB_LOAD(matrix_b, b, m, n, k, type, row_major, row, element, memory, ptx, count_b, rb, c)                       \
  SIMTLAB_LOAD(matrix_b, b, m, n, k, type, col_major, col, element, memory, ptx, count_b, rb, c)

/* An accumulator in memory. */
#define SIMTLAB_MOVE(m, n, k, type, order, ptx, registers, c)                                                          \
  if (layout == mem_##order##_major)                                                                                   \
    asm volatile("wmma.load.c.sync.aligned." #order ".m" #m "n" #n "k" #k "." #ptx                                     \
                 " " SIMTLAB_LIST##registers(x) ", [%[p]], %[s];"                                                      \
                 : SIMTLAB_OUT##registers(x, #c, r)                                                                    \
                 : [p] "l"(p), [s] "r"(stride)                                                                         \
                 : "memory");
#define SIMTLAB_STORE(m, n, k, type, order, ptx, registers, c)                                                         \
  if (layout == mem_##order##_major)                                                                                   \
    asm volatile("wmma.store.d.sync.aligned." #order ".m" #m "n" #n "k" #k "." #ptx                                    \
                 " [%[p]], " SIMTLAB_LIST##registers(x) ", %[s];" ::[p] "l"(p),                                        \
                 SIMTLAB_IN##registers(x, #c, r), [s] "r"(stride)                                                      \
                 : "memory");
#define SIMTLAB_ACCUMULATOR(m, n, k, type, ptx, count, registers, c)                                                   \
  SIMTLAB_FRAGMENT(accumulator, m, n, k, type, void, type, count, registers)                                           \
  static __device__ __forceinline__ void load_matrix_sync(fragment<accumulator, m, n, k, type> &f, const type *p,      \
                                                          unsigned stride, layout_t layout)                            \
  {                                                                                                                    \
    simtlab_##c *r = (simtlab_##c *)f.x;                                                                               \
    SIMTLAB_MOVE(m, n, k, type, row, ptx, registers, c)                                                                \
    SIMTLAB_MOVE(m, n, k, type, col, ptx, registers, c)                                                                \
  }                                                                                                                    \
  static __device__ __forceinline__ void store_matrix_sync(type *p, const fragment<accumulator, m, n, k, type> &f,     \
                                                           unsigned stride, layout_t layout)                           \
  {                                                                                                                    \
    const simtlab_##c *r = (const simtlab_##c *)f.x;                                                                   \
    SIMTLAB_STORE(m, n, k, type, row, ptx, registers, c)                                                               \
    SIMTLAB_STORE(m, n, k, type, col, ptx, registers, c)                                                               \
  }

/* d = a x b + c. `types`: of the instruction; ra, rb: registers of a and b; cd, cc: constraints of d and c. */
#define SIMTLAB_MULTIPLY(m, n, k, type, la, oa, lb, ob, td, tc, types, rd, cd, ra, rb, ci, rc, cc)                     \
  static __device__ __forceinline__ void mma_sync(                                                                     \
      fragment<accumulator, m, n, k, td> &d, const fragment<matrix_a, m, n, k, type, la> &a,                           \
      const fragment<matrix_b, m, n, k, type, lb> &b, const fragment<accumulator, m, n, k, tc> &c)                     \
  {                                                                                                                    \
    simtlab_##cd *d_ = (simtlab_##cd *)d.x;                                                                            \
    const simtlab_##ci *a_ = (const simtlab_##ci *)a.x, *b_ = (const simtlab_##ci *)b.x;                               \
    const simtlab_##cc *c_ = (const simtlab_##cc *)c.x;                                                                \
    asm volatile("wmma.mma.sync.aligned." #oa "." #ob ".m" #m "n" #n "k" #k "." types " " SIMTLAB_LIST##rd(            \
                     d) ", " SIMTLAB_LIST##ra(a) ", " SIMTLAB_LIST##rb(b) ", " SIMTLAB_LIST##rc(c) ";"                 \
                 : SIMTLAB_OUT##rd(d, #cd, d_)                                                                         \
                 : SIMTLAB_IN##ra(a, #ci, a_), SIMTLAB_IN##rb(b, #ci, b_), SIMTLAB_IN##rc(c, #cc, c_));                \
  }
#define SIMTLAB_LAYOUTS(m, n, k, type, td, tc, types, rd, cd, ra, rb, ci, rc, cc)                                      \
  SIMTLAB_MULTIPLY(m, n, k, type, row_major, row, row_major, row, td, tc, types, rd, cd, ra, rb, ci, rc, cc)           \
  SIMTLAB_MULTIPLY(m, n, k, type, row_major, row, col_major, col, td, tc, types, rd, cd, ra, rb, ci, rc, cc)           \
  SIMTLAB_MULTIPLY(m, n, k, type, col_major, col, row_major, row, td, tc, types, rd, cd, ra, rb, ci, rc, cc)           \
  SIMTLAB_MULTIPLY(m, n, k, type, col_major, col, col_major, col, td, tc, types, rd, cd, ra, rb, ci, rc, cc)

#define SIMTLAB_SHAPE(m, n, k, a8, r8a, b8, r8b, abf, rbfa, bbf, rbfb)                                                 \
  SIMTLAB_ACCUMULATOR(m, n, k, float, f32, 8, 8, f)                                                                    \
  SIMTLAB_ACCUMULATOR(m, n, k, __half, f16, 8, 4, r)                                                                   \
  SIMTLAB_ACCUMULATOR(m, n, k, int, s32, 8, 8, r)                                                                      \
  SIMTLAB_LOADS(m, n, k, __half, __half, __half, f16, 16, 8, 16, 8, r)                                                 \
  SIMTLAB_LOADS(m, n, k, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, bf16, abf, rbfa, bbf, rbfb, r)                   \
  SIMTLAB_LOADS(m, n, k, signed char, signed char, signed char, s8, a8, r8a, b8, r8b, r)                               \
  SIMTLAB_LOADS(m, n, k, unsigned char, unsigned char, unsigned char, u8, a8, r8a, b8, r8b, r)                         \
  SIMTLAB_LAYOUTS(m, n, k, __half, float, float, "f32.f32", 8, f, 8, 8, r, 8, f)                                       \
  SIMTLAB_LAYOUTS(m, n, k, __half, float, __half, "f32.f16", 8, f, 8, 8, r, 4, r)                                      \
  SIMTLAB_LAYOUTS(m, n, k, __half, __half, float, "f16.f32", 4, r, 8, 8, r, 8, f)                                      \
  SIMTLAB_LAYOUTS(m, n, k, __half, __half, __half, "f16.f16", 4, r, 8, 8, r, 4, r)                                     \
  SIMTLAB_LAYOUTS(m, n, k, __nv_bfloat16, float, float, "f32.bf16.bf16.f32", 8, f, rbfa, rbfb, r, 8, f)                \
  SIMTLAB_LAYOUTS(m, n, k, signed char, int, int, "s32.s8.s8.s32", 8, r, r8a, r8b, r, 8, r)                            \
  SIMTLAB_LAYOUTS(m, n, k, unsigned char, int, int, "s32.u8.u8.s32", 8, r, r8a, r8b, r, 8, r)
SIMTLAB_SHAPE(16, 16, 16, 8, 2, 8, 2, 8, 4, 8, 4)
SIMTLAB_SHAPE(32, 8, 16, 16, 4, 4, 1, 16, 8, 4, 2)
SIMTLAB_SHAPE(8, 32, 16, 4, 1, 16, 4, 4, 2, 16, 8)

SIMTLAB_ACCUMULATOR(16, 16, 8, float, f32, 8, 8, f)
SIMTLAB_LOADS(16, 16, 8, precision::tf32, float, float, tf32, 4, 4, 4, 4, r)
SIMTLAB_LAYOUTS(16, 16, 8, precision::tf32, float, float, "f32.tf32.tf32.f32", 8, f, 4, 4, r, 8, f)
SIMTLAB_ACCUMULATOR(8, 8, 4, double, f64, 2, 2, d)
SIMTLAB_LOADS(8, 8, 4, double, double, double, f64, 1, 1, 1, 1, d)
SIMTLAB_LAYOUTS(8, 8, 4, double, double, double, "f64.f64.f64.f64", 2, d, 1, 1, d, 2, d)

template <typename Use, int m, int n, int k, typename T, typename Layout, typename V>
static __device__ __forceinline__ void fill_fragment(fragment<Use, m, n, k, T, Layout> &f, const V &value)
{
#pragma unroll
  for (int i = 0; i < f.num_elements; i++)
    f.x[i] = value;
}

/* Rounds to the nearest number of tf32, ties away from zero. */
static __device__ __forceinline__ float __float_to_tf32(float value)
{
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __uint_as_float(bits);
}

#undef SIMTLAB_FRAGMENT
#undef SIMTLAB_LIST1
#undef SIMTLAB_LIST2
#undef SIMTLAB_LIST4
#undef SIMTLAB_LIST8
#undef SIMTLAB_OUT1
#undef SIMTLAB_OUT2
#undef SIMTLAB_OUT4
#undef SIMTLAB_OUT8
#undef SIMTLAB_IN1
#undef SIMTLAB_IN2
#undef SIMTLAB_IN4
#undef SIMTLAB_IN8
#undef SIMTLAB_LOAD
#undef SIMTLAB_LOADS
#undef SIMTLAB_MOVE
#undef SIMTLAB_STORE
#undef SIMTLAB_ACCUMULATOR
#undef SIMTLAB_MULTIPLY
#undef SIMTLAB_LAYOUTS
#undef SIMTLAB_SHAPE
} // namespace wmma
} // namespace nvcuda

#endif
#endif
