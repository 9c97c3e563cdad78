/* C += A * transposed B of words, 64 x 64 x 64. A function adds the product of DEPTH columns of A and B to a block of 8
 * x 8. It is called often, needs as many registers as possible, and keeps no values across calls. */
#include "isa64.h"

enum { SIZE = 64, BLOCK = 8, DEPTH = 4, ACROSS = SIZE / BLOCK };

#define A ((const uint32_t *)A_ADDRESS)
#define B ((const uint32_t *)B_ADDRESS)
#define C ((uint32_t *)C_ADDRESS)

static __attribute__((noinline)) void add_block(uint32_t *c, const uint32_t *a, const uint32_t *b)
{
  uint32_t sum[BLOCK][BLOCK];
#pragma clang loop unroll(full)
  for (uint32_t i = 0; i < BLOCK; i++)
#pragma clang loop unroll(full)
    for (uint32_t j = 0; j < BLOCK; j++)
      sum[i][j] = c[i * SIZE + j];
#pragma clang loop unroll(disable)
  for (uint32_t k = 0; k < DEPTH; k++)
#pragma clang loop unroll(full)
    for (uint32_t i = 0; i < BLOCK; i++)
#pragma clang loop unroll(full)
      for (uint32_t j = 0; j < BLOCK; j++)
        sum[i][j] += a[i * SIZE + k] * b[j * SIZE + k];
#pragma clang loop unroll(full)
  for (uint32_t i = 0; i < BLOCK; i++)
#pragma clang loop unroll(full)
    for (uint32_t j = 0; j < BLOCK; j++)
      c[i * SIZE + j] = sum[i][j];
}

static void kernel(void)
{
  const uint32_t thread = thread_number(), column = thread % ACROSS * BLOCK;
  for (uint32_t row = thread / ACROSS * BLOCK; row < SIZE; row += THREADS / ACROSS * BLOCK)
#pragma clang loop unroll(disable)
    for (uint32_t k = 0; k < SIZE; k += DEPTH)
      add_block(&C[row * SIZE + column], &A[row * SIZE + k], &B[column * SIZE + k]);
}
