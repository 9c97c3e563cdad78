/* A product of floats with a tile of 6 x 6 and fused multiply-adds: three sources in one instruction. */
#include <stdint.h>

enum { SIZE = 36, TILE = 6, ACROSS = SIZE / TILE };

void gemm6f(float *restrict c, const float *restrict a, const float *restrict b, uint32_t thread)
{
  const uint32_t row = thread / ACROSS * TILE, column = thread % ACROSS * TILE;
  float sum[TILE][TILE] = {0};
#pragma clang loop unroll(disable)
  for (uint32_t k = 0; k < SIZE; k++)
#pragma clang loop unroll(full)
    for (uint32_t i = 0; i < TILE; i++)
#pragma clang loop unroll(full)
      for (uint32_t j = 0; j < TILE; j++)
        sum[i][j] = __builtin_fmaf(a[(row + i) * SIZE + k], b[(column + j) * SIZE + k], sum[i][j]);
#pragma clang loop unroll(full)
  for (uint32_t i = 0; i < TILE; i++)
#pragma clang loop unroll(full)
    for (uint32_t j = 0; j < TILE; j++)
      c[(row + i) * SIZE + column + j] = sum[i][j];
}
