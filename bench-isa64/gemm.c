/* C = A * transposed B, C square, a tile of TILE x TILE in registers: the matrix multiplication of section 4.1 of R. R.
 * Yan and S. Anand, "Redesigning the Vortex GPU ISA: 64-Bit Instruction Words and Conflict-Aware Register Allocation",
 * with words, 64 x 64 x 64, and tiles of 4 x 4. The tiles of a thread form one column. */
#include "isa64.h"

#ifndef TILE
#define TILE 4
#endif
#ifndef SIZE
#define SIZE 64
#endif
#ifndef DEPTH
#define DEPTH SIZE
#endif
#ifdef FLOAT
typedef float element;
#define MULTIPLY_ADD(a, b, sum) __builtin_fmaf(a, b, sum)
#else
typedef uint32_t element;
#define MULTIPLY_ADD(a, b, sum) ((a) * (b) + (sum))
#endif

enum { ACROSS = SIZE / TILE };

_Static_assert(SIZE % TILE == 0 && THREADS % ACROSS == 0, "tiles fill the matrix, rows of tiles the threads");

#define A ((const element *)A_ADDRESS)
#define B ((const element *)B_ADDRESS)
#define C ((element *)C_ADDRESS)

static void kernel(void)
{
  const uint32_t thread = thread_number();
  for (uint32_t row = thread / ACROSS * TILE; row < SIZE; row += THREADS / ACROSS * TILE) {
    const uint32_t column = thread % ACROSS * TILE;
    element sum[TILE][TILE] = {0};
#pragma clang loop unroll(disable)
    for (uint32_t k = 0; k < DEPTH; k++)
#pragma clang loop unroll(full)
      for (uint32_t i = 0; i < TILE; i++)
#pragma clang loop unroll(full)
        for (uint32_t j = 0; j < TILE; j++)
          sum[i][j] = MULTIPLY_ADD(A[(row + i) * DEPTH + k], B[(column + j) * DEPTH + k], sum[i][j]);
#pragma clang loop unroll(full)
    for (uint32_t i = 0; i < TILE; i++)
#pragma clang loop unroll(full)
      for (uint32_t j = 0; j < TILE; j++)
        C[(row + i) * SIZE + column + j] = sum[i][j];
  }
}
