// D = alpha A B + beta C with tensor cores: 4096 x 4096 x 4096, A by rows, B by columns, of f16; C and D by rows, of f32.
// A block of eight warps computes tiles of 128 x 128, one after another, as long as there are tiles. A warp computes
// 32 x 64 of it. C passes through shared memory, which then holds 128 rows of A and 128 columns of B, 128 elements of
// each at a time. Rows are 16 elements longer than that, the least that keeps them aligned to 32 bytes.

#include "wmma.h"

enum { SIZE = 4096, TILE = 128, DEPTH = 128, LINE = DEPTH + 16, M = 16, ACROSS = 4, DOWN = 2, TILES = SIZE / TILE };

extern __shared__ __attribute__((aligned(32))) short shared[][LINE];

// A warp moves 16 rows of the tile of C or D between global and shared memory, a row of 128 words at a time.
__device__ static inline void copy_rows(float *to, unsigned to_stride, const float *from, unsigned from_stride)
{
  const unsigned lane = threadIdx.x % warpSize;
#pragma unroll
  for (int i = 0; i < M; i++)
    put(to + to_stride * i + lane * WORDS, take(from + from_stride * i + lane * WORDS));
}

// A warp copies 32 rows of A or columns of B; half a warp takes a line of 128 elements.
__device__ static inline void copy_lines(const short *line, unsigned row)
{
  const unsigned lane = threadIdx.x % warpSize, at = lane % 16 * SHORTS;
  line += (lane / 16) * SIZE + at;
  row += lane / 16;
#pragma unroll
  for (int i = 0; i < 16; i++) {
    put(&shared[row][at], take(line));
    line += 2 * SIZE;
    row += 2;
  }
}

__device__ static inline void multiply(sum (&sums)[DOWN][ACROSS], unsigned down, unsigned across)
{
#pragma unroll
  for (int k = 0; k < DEPTH; k += M) {
    fragment a[DOWN], b[ACROSS];
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
      a[i] = load_a(&shared[(down * DOWN + i) * M][k], LINE, BY_ROWS);
#pragma unroll
      for (int j = 0; j < ACROSS; j++) {
        if (i == 0)
          b[j] = load_b_by_columns(&shared[TILE + (across * ACROSS + j) * M][k], LINE);
        multiply_add_row_column(sums[i][j], a[i], b[j]);
      }
    }
  }
}

__device__ static inline void scale(sum (&sums)[DOWN][ACROSS], float factor)
{
#pragma unroll
  for (int i = 0; i < DOWN; i++)
#pragma unroll
    for (int j = 0; j < ACROSS; j++)
#pragma unroll
      for (int e = 0; e < 8; e++)
        sums[i][j].x[e] *= factor;
}

extern "C" __global__ void __launch_bounds__(256)
    gemm(const short *a, const short *b, const float *c, float *d, float alpha, float beta)
{
  const unsigned warp = threadIdx.x / warpSize, down = warp / 2, across = warp % 2;
  float *const words = (float *)shared, *const own_rows = words + warp * M * TILE,
               *const own_part = words + down * DOWN * M * TILE + across * ACROSS * M;
  beta /= alpha;
  for (unsigned tile = blockIdx.x; tile < TILES * TILES; tile += gridDim.x) {
    const unsigned row = tile / TILES * TILE, column = tile % TILES * TILE, at = (row + warp * M) * SIZE + column;
    copy_rows(own_rows, TILE, c + at, SIZE);
    __syncthreads();
    sum sums[DOWN][ACROSS];
#pragma unroll
    for (int i = 0; i < DOWN; i++)
#pragma unroll
      for (int j = 0; j < ACROSS; j++)
        sums[i][j] = load_sum_by_rows(own_part + i * M * TILE + j * M, TILE);
    __syncthreads();
    scale(sums, beta);
    const short *const line = warp < 4 ? a + (row + warp * 32) * SIZE : b + (column + (warp - 4) * 32) * SIZE;
#pragma unroll 1
    for (int k = 0; k < SIZE; k += DEPTH) {
      copy_lines(line + k, warp * 32);
      __syncthreads();
      multiply(sums, down, across);
      __syncthreads();
    }
    scale(sums, alpha);
#pragma unroll
    for (int i = 0; i < DOWN; i++)
#pragma unroll
      for (int j = 0; j < ACROSS; j++)
        store_sum_by_rows(own_part + i * M * TILE + j * M, sums[i][j], TILE);
    __syncthreads();
    copy_rows(d + at, SIZE, own_rows, TILE);
    __syncthreads();
  }
}
