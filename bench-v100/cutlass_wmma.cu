// C = A B with tensor cores, in the shape of CUTLASS 1.x (wmma_gemm_nn): A and B of f16 and C of f32, all by columns. A
// block of eight warps computes a tile of 128 x 128, a warp 64 x 32 of it. Shared memory holds 64 columns of A and 64
// rows of B at a time, in lines that are 8 elements longer. Loads of the next ones begin before the products, and
// fragments are read one step before they are multiplied. Sums pass through shared memory, 64 columns at a time.

#include "wmma.h"

enum { TILE = 128, DEPTH = 64, LINE_A = TILE + 8, LINE_B = DEPTH + 8, M = 16, DOWN = 4, ACROSS = 2, STEPS = DEPTH / M };
enum { THREADS = 256, COPIES = TILE * DEPTH / SHORTS / THREADS, HALF = TILE / 2 };

__shared__ __attribute__((aligned(32))) union {
  struct {
    short a[DEPTH][LINE_A], b[TILE][LINE_B];
  } factors;
  float sums[HALF][TILE];
} shared;

struct parts {
  part a[COPIES], b[COPIES];
};

struct fragments {
  fragment a[DOWN], b[ACROSS];
};

// Columns of B behind the last one are 0.
__device__ static inline void load_parts(parts &p, const short *a, const short *b, unsigned m, unsigned n, unsigned k,
                                         unsigned first)
{
  const unsigned t = threadIdx.x, row = blockIdx.x * TILE + t % 16 * SHORTS, column = blockIdx.y * TILE + t / 8;
#pragma unroll
  for (int i = 0; i < COPIES; i++)
    p.a[i] = take(a + (first + t / 16 + i * 16) * m + row);
#pragma unroll
  for (int i = 0; i < COPIES; i++) {
    p.b[i] = 0;
    if (column + i * 32 < n)
      p.b[i] = take(b + (column + i * 32) * k + first + t % 8 * SHORTS);
  }
}

__device__ static inline void store_parts(const parts &p)
{
  const unsigned t = threadIdx.x;
#pragma unroll
  for (int i = 0; i < COPIES; i++) {
    put(&shared.factors.a[t / 16 + i * 16][t % 16 * SHORTS], p.a[i]);
    put(&shared.factors.b[t / 8 + i * 32][t % 8 * SHORTS], p.b[i]);
  }
}

// The warps' fragments interleave: a warp has every second one of A and every fourth one of B.
__device__ static inline void load_fragments(fragments &f, unsigned down, unsigned across, unsigned step)
{
#pragma unroll
  for (int i = 0; i < DOWN; i++)
    f.a[i] = load_a(&shared.factors.a[step * M][(i * 2 + down) * M], LINE_A, BY_COLUMNS);
#pragma unroll
  for (int j = 0; j < ACROSS; j++)
    f.b[j] = load_b_by_columns(&shared.factors.b[(j * 4 + across) * M][step * M], LINE_B);
}

__device__ static inline void multiply(sum (&sums)[ACROSS][DOWN], const fragments &f)
{
#pragma unroll
  for (int j = 0; j < ACROSS; j++)
#pragma unroll
    for (int i = 0; i < DOWN; i++)
      multiply_add_column_column(sums[j][i], f.a[i], f.b[j]);
}

// The first 16 columns in accesses of 16 bytes, the others in words, as the sectors that the hardware writes show.
__device__ static inline void store_half(float *c, unsigned m, unsigned n, unsigned half)
{
  const unsigned lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
#pragma unroll
  for (int i = 0; i < HALF / 8; i++) {
    const unsigned column = blockIdx.y * TILE + half * HALF + i * 8 + warp;
    const part w = take(&shared.sums[i * 8 + warp][lane * WORDS]);
    int *const to = (int *)c + column * m + blockIdx.x * TILE + lane * WORDS;
    if (column >= n)
      continue;
    if (half == 0 && i < 2) {
      put(to, w);
      continue;
    }
#pragma unroll
    for (int e = 0; e < WORDS; e++)
      ((volatile int *)to)[e] = w[e];
  }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    gemm(const short *a, const short *b, float *c, unsigned m, unsigned n, unsigned k)
{
  const unsigned warp = threadIdx.x / warpSize, down = warp % 2, across = warp / 2;
  sum sums[ACROSS][DOWN] = {};
  parts p;
  fragments f[2];
  load_parts(p, a, b, m, n, k, 0);
  store_parts(p);
  __syncthreads();
  load_fragments(f[0], down, across, 0);
#pragma unroll 1
  for (unsigned first = DEPTH;; first += DEPTH) {
    if (first < k)
      load_parts(p, a, b, m, n, k, first);
#pragma unroll
    for (int step = 0; step < STEPS - 1; step++) {
      load_fragments(f[(step + 1) % 2], down, across, step + 1);
      multiply(sums, f[step % 2]);
    }
    if (first >= k)
      break;
    __syncthreads();
    store_parts(p);
    __syncthreads();
    load_fragments(f[0], down, across, 0);
    multiply(sums, f[1]);
  }
  multiply(sums, f[1]);
#pragma unroll
  for (int half = 0; half < ACROSS; half++) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < DOWN; i++)
      store_sum_by_columns(&shared.sums[across * M][(i * 2 + down) * M], sums[half][i], TILE);
    __syncthreads();
    store_half(c, m, n, half);
  }
}
