// Product of square matrices of ELEMENT, tile by tile through shared memory, with sums of ints.

#include "../common/suite.h"

enum { TILE = 32 };

// A block computes a square of the product, one element per thread.
SIMT_INLINE void product(int side, int x, int y, int block_x, int block_y, ELEMENT *a_tile, ELEMENT *b_tile,
                         const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int a_width, int b_width)
{
  const int a_begin = a_width * side * block_y;
  const int a_end = a_begin + a_width - 1;

  int sum = 0;
  int b_origin = side * block_x;
  for (int a_origin = a_begin; a_origin <= a_end; a_origin += side) {
    a_tile[side * y + x] = a[a_origin + a_width * y + x];
    b_tile[side * y + x] = b[b_origin + b_width * y + x];
    b_origin += side * b_width;
    __syncthreads();

    // Two pointers, so that the compiler does not add the scratchpad's address in every iteration; and an opaque end
    // pointer, because Clang would otherwise also count iterations.
    const ELEMENT *p = a_tile + side * y;
    const ELEMENT *q = b_tile + x;
    const ELEMENT *end = p + side;
    __asm__("" : "+r"(end));
    do {
      sum += *p * *q;
      p++;
      q += side;
    } while (p != end);
    __syncthreads();
  }
  c[b_width * side * block_y + side * block_x + b_width * y + x] = sum;
}

SUITE_KERNEL(mat_mul, (const ELEMENT *, a), (const ELEMENT *, b), (ELEMENT *, c), (int, a_width), (int, b_width))
{
  SUITE_SHARED(ELEMENT, a_tile, TILE * TILE);
  SUITE_SHARED(ELEMENT, b_tile, TILE * TILE);
  product(TILE, threadIdx.x, threadIdx.y, blockIdx.x, blockIdx.y, a_tile, b_tile, a, b, c, a_width, b_width);
}

// For multiprocessors with too few threads for a tile.
SUITE_KERNEL(mat_mul_small, (const ELEMENT *, a), (const ELEMENT *, b), (ELEMENT *, c), (int, a_width), (int, b_width))
{
  SUITE_SHARED(ELEMENT, a_tile, TILE * TILE);
  SUITE_SHARED(ELEMENT, b_tile, TILE * TILE);
  product(blockDim.x, threadIdx.x, threadIdx.y, blockIdx.x, blockIdx.y, a_tile, b_tile, a, b, c, a_width, b_width);
}

// Freivalds' check, C v = A (B v), modulo 2^32. The elements of v are odd, hence a row of C with one wrong element
// never passes.
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

// The largest square of threads that the machine can run, up to a tile.
static int block_side(void)
{
  unsigned side = TILE;
  while (side * side > bench_threads())
    side /= 2;
  return (int)side;
}

int main(int argc, char **argv)
{
  const int side = bench_is_paper(argc, argv) ? 256 : 64;
  ELEMENT *const a = simt_alloc(side * side * sizeof *a);
  ELEMENT *const b = simt_alloc(side * side * sizeof *b);
  ELEMENT *const c = simt_alloc(side * side * sizeof *c);

  // Small integers, whose products and sums are exact in floating point as well.
  struct suite_random random = {1};
  for (int i = 0; i < side * side; i++) {
    a[i] = (ELEMENT)(suite_next(&random) & 0xFF);
    b[i] = (ELEMENT)(suite_next(&random) & 0xFF);
  }

  const int tile = block_side();
  const dim3 grid = dim3(side / tile, side / tile), block = dim3(tile, tile);
  const size_t shared = 2 * sizeof(ELEMENT[TILE * TILE]);
  const int status =
      tile == TILE
          ? suite_launch(mat_mul, grid, block, shared, .a = a, .b = b, .c = c, .a_width = side, .b_width = side)
          : suite_launch(mat_mul_small, grid, block, shared, .a = a, .b = b, .c = c, .a_width = side, .b_width = side);
  const int passed = status == SIMT_OK && is_product(side, a, b, c);
  return bench_verdict(NAME, passed);
}
