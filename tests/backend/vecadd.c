/* 2048 sums by 16 threads with a stride of 16 words, unrolled by 32: the vector addition of section 4.1 of the paper on
 * 64-bit instruction words. */
#include <stdint.h>

enum { SIZE = 2048, THREADS = 16 };

#define A ((const uint32_t *)0xa0000000)
#define B ((const uint32_t *)0xa1000000)
#define C ((uint32_t *)0xc0000000)

void vecadd(void)
{
  uint32_t thread;
  __asm__ volatile("csrr %0, mhartid" : "=r"(thread));
#pragma clang loop unroll_count(32)
  for (uint32_t i = 0; i < SIZE; i += THREADS)
    C[i + thread] = A[i + thread] + B[i + thread];
}
