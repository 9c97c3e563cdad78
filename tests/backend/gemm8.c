/* The same product with a tile of 8 x 8: more live values than 32 registers hold. */
#include <stdint.h>

enum { SIZE = 64, TILE = 8, ACROSS = SIZE / TILE };

void gemm8(uint32_t *restrict c, const uint32_t *restrict a, const uint32_t *restrict b, uint32_t thread)
{
  for (uint32_t row = thread / ACROSS * TILE; row < SIZE; row += TILE * 2) {
    const uint32_t column = thread % ACROSS * TILE;
    uint32_t sum[TILE][TILE] = {0};
#pragma clang loop unroll(disable)
    for (uint32_t k = 0; k < SIZE; k++)
#pragma clang loop unroll(full)
      for (uint32_t i = 0; i < TILE; i++)
#pragma clang loop unroll(full)
        for (uint32_t j = 0; j < TILE; j++)
          sum[i][j] += a[(row + i) * SIZE + k] * b[(column + j) * SIZE + k];
#pragma clang loop unroll(full)
    for (uint32_t i = 0; i < TILE; i++)
#pragma clang loop unroll(full)
      for (uint32_t j = 0; j < TILE; j++)
        c[(row + i) * SIZE + column + j] = sum[i][j];
  }
}
