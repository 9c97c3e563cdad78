// Product of square matrices of ELEMENT, tile by tile through shared memory, with sums of ints.

#include "../common/suite.h"

enum { TILE = 32 };

// A block computes a square of the product, one element per thread.
SUITE_KERNEL(mat_mul, (const ELEMENT *, a), (const ELEMENT *, b), (ELEMENT *, c), (int, a_width), (int, b_width))
{
  SUITE_SHARED(ELEMENT, a_tile, TILE * TILE);
  SUITE_SHARED(ELEMENT, b_tile, TILE * TILE);
  const int side = blockDim.x;
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int a_begin = a_width * side * (int)blockIdx.y;
  const int a_end = a_begin + a_width - 1;

  int sum = 0;
  int b_origin = side * (int)blockIdx.x;
  for (int a_origin = a_begin; a_origin <= a_end; a_origin += side) {
    a_tile[side * y + x] = a[a_origin + a_width * y + x];
    b_tile[side * y + x] = b[b_origin + b_width * y + x];
    b_origin += side * b_width;
    __syncthreads();

    // Two pointers, so that the compiler does not add the scratchpad's address in every turn; and an end of which it
    // knows nothing, or Clang would count the turns besides.
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
  c[b_width * side * (int)blockIdx.y + side * (int)blockIdx.x + b_width * y + x] = sum;
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
  const int passed =
      suite_launch(mat_mul, dim3(side / tile, side / tile), dim3(tile, tile), 2 * sizeof(ELEMENT[TILE * TILE]), .a = a,
                   .b = b, .c = c, .a_width = side, .b_width = side) == SIMT_OK &&
      is_product(side, a, b, c);
  return bench_verdict(NAME, passed);
}
