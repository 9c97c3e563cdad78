// Products of 16 x 16 x 16 with tensor cores: wmma of the PTX ISA, by Clang's built-in functions. Elements of A and B
// are f16, two in a word; those of sums are f32.
#pragma once

// 16 bytes that one access moves.
typedef int part __attribute__((ext_vector_type(4)));
enum { SHORTS = 8, WORDS = 4 }; // in a part

__device__ static inline part take(const void *from)
{
  return *(const part *)from;
}

__device__ static inline void put(void *to, part p)
{
  *(part *)to = p;
}

enum { BY_ROWS, BY_COLUMNS };

struct fragment {
  int x[8];
};

struct sum {
  float x[8];
};

__device__ static inline fragment load_a(const short *from, unsigned stride, int order)
{
  fragment f;
  if (order == BY_ROWS)
    __hmma_m16n16k16_ld_a(f.x, (const int *)from, stride, BY_ROWS);
  else
    __hmma_m16n16k16_ld_a(f.x, (const int *)from, stride, BY_COLUMNS);
  return f;
}

__device__ static inline fragment load_b_by_columns(const short *from, unsigned stride)
{
  fragment f;
  __hmma_m16n16k16_ld_b(f.x, (const int *)from, stride, BY_COLUMNS);
  return f;
}

__device__ static inline sum load_sum_by_rows(const float *from, unsigned stride)
{
  sum s;
  __hmma_m16n16k16_ld_c_f32(s.x, from, stride, BY_ROWS);
  return s;
}

__device__ static inline void store_sum_by_rows(float *to, const sum &s, unsigned stride)
{
  __hmma_m16n16k16_st_c_f32(to, s.x, stride, BY_ROWS);
}

__device__ static inline void store_sum_by_columns(float *to, const sum &s, unsigned stride)
{
  __hmma_m16n16k16_st_c_f32(to, s.x, stride, BY_COLUMNS);
}

// s += A B. The last arguments are the orders of A and B as numbers of PTX's four combinations, and no saturation.
__device__ static inline void multiply_add_row_column(sum &s, const fragment &a, const fragment &b)
{
  __hmma_m16n16k16_mma_f32f32(s.x, a.x, b.x, s.x, 1, 0);
}

__device__ static inline void multiply_add_column_column(sum &s, const fragment &a, const fragment &b)
{
  __hmma_m16n16k16_mma_f32f32(s.x, a.x, b.x, s.x, 3, 0);
}
