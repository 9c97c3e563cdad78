/* C = A * transposed B, 64 x 64 x 64 words, a tile of 4 x 4 in registers: the matrix multiplication of section 4.1 of
 * the paper on 64-bit instruction words, with its fixed addresses. */
#include <stdint.h>

enum { SIZE = 64, TILE = 4, ACROSS = SIZE / TILE };

#define A ((const uint32_t *)0xa0000000)
#define B ((const uint32_t *)0xa1000000)
#define C ((uint32_t *)0xc0000000)

void gemm(void)
{
  uint32_t thread;
  __asm__ volatile("csrr %0, mhartid" : "=r"(thread));
  for (uint32_t row = thread / ACROSS * TILE; row < SIZE; row += TILE) {
    const uint32_t column = thread % ACROSS * TILE;
    uint32_t sum[TILE][TILE] = {0};
#pragma clang loop unroll(disable)
    for (uint32_t k = 0; k < SIZE; k++)
      for (uint32_t i = 0; i < TILE; i++)
        for (uint32_t j = 0; j < TILE; j++)
          sum[i][j] += A[(row + i) * SIZE + k] * B[(column + j) * SIZE + k];
    for (uint32_t i = 0; i < TILE; i++)
      for (uint32_t j = 0; j < TILE; j++)
        C[(row + i) * SIZE + column + j] = sum[i][j];
  }
}
