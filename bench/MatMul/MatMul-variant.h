// Product of square matrices of ELEMENT, tile by tile through shared memory.

#include "../common/bench.h"

enum { TILE = 32 };

// A block computes as many elements as it has threads, one each; blocks are at most TILE wide and
// high, and the matrices' side is a multiple of TILE.
SIMT_KERNEL(mat_mul, (int, side), (const ELEMENT *, a), (const ELEMENT *, b), (ELEMENT *, c))
{
  SIMT_SHARED(ELEMENT[TILE], a_tile, blockDim.y);
  SIMT_SHARED(ELEMENT[TILE], b_tile, TILE);
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;

  ELEMENT sum = 0;
  for (int step = 0; step < side; step += TILE) {
    for (unsigned i = threadIdx.x; i < TILE; i += blockDim.x)
      a_tile[threadIdx.y][i] = a[y * side + step + i];
    for (unsigned i = threadIdx.y; i < TILE; i += blockDim.y)
      b_tile[i][threadIdx.x] = b[(step + i) * side + x];
    __syncthreads();

#pragma GCC unroll 32
    for (int i = 0; i < TILE; i++)
      sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
    __syncthreads();
  }
  c[y * side + x] = sum;
}

// Freivalds' check, C v = A (B v), modulo 2^32. The elements of v are odd, hence a row of C with one
// wrong element never passes.
static int is_product(int side, const ELEMENT *a, const ELEMENT *b, const ELEMENT *c)
{
  uint32_t *const v = simt_alloc(side * sizeof *v);
  uint32_t *const bv = simt_alloc(side * sizeof *bv);
  for (int i = 0; i < side; i++)
    v[i] = bench_random() | 1;
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++)
      bv[y] += (uint32_t)(int)b[y * side + x] * v[x];

  int passed = 1;
  for (int y = 0; y < side; y++) {
    uint32_t difference = 0;
    for (int x = 0; x < side; x++) {
      difference += (uint32_t)(int)a[y * side + x] * bv[x];
      difference -= (uint32_t)(int)c[y * side + x] * v[x];
    }
    passed &= difference == 0;
  }
  return passed;
}

int main(int argc, char **argv)
{
  const int side = bench_is_paper(argc, argv) ? 256 : 64;
  ELEMENT *const a = simt_alloc(side * side * sizeof *a);
  ELEMENT *const b = simt_alloc(side * side * sizeof *b);
  ELEMENT *const c = simt_alloc(side * side * sizeof *c);

  // Small integers, whose products and sums are exact in floating point as well.
  for (int i = 0; i < side * side; i++) {
    a[i] = (ELEMENT)(int)(bench_random() % 256);
    b[i] = (ELEMENT)(int)(bench_random() % 256);
  }

  const dim3 block = bench_block_2d(TILE, TILE);
  const size_t shared = sizeof(ELEMENT[TILE]) * (block.y + TILE);
  const int passed = simt_launch_shared(mat_mul, dim3(side / block.x, side / block.y), block, shared, .side = side,
                                        .a = a, .b = b, .c = c) == SIMT_OK &&
                     is_product(side, a, b, c);
  return bench_verdict(NAME, passed);
}
