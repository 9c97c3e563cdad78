/* 2048 sums by 16 threads with a stride of 16 words, unrolled by 32: the vector addition of section 4.1 of R. R. Yan
 * and S. Anand, "Redesigning the Vortex GPU ISA: 64-Bit Instruction Words and Conflict-Aware Register Allocation". */
#include "isa64.h"

enum { SIZE = 2048 };

#define A ((const uint32_t *)A_ADDRESS)
#define B ((const uint32_t *)B_ADDRESS)
#define C ((uint32_t *)C_ADDRESS)

static void kernel(void)
{
  const uint32_t thread = thread_number();
#pragma clang loop unroll_count(32)
  for (uint32_t i = 0; i < SIZE; i += THREADS)
    C[i + thread] = A[i + thread] + B[i + thread];
}
