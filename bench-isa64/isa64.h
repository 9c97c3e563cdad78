/* Common parts of the kernels of the paper on 64-bit instruction words: 4 warps of 4 lanes, buffers at fixed addresses,
 * no runtime. A program begins in _start on the first warp with all lanes active, and ends when a warp returns. */
#ifndef ISA64_H
#define ISA64_H

#include <stdint.h>

enum { WARPS = 4, THREADS = 16 };

#define A_ADDRESS 0xa0000000
#define B_ADDRESS 0xa1000000
#define C_ADDRESS 0xc0000000

static inline uint32_t thread_number(void)
{
  uint32_t thread;
  __asm__ volatile("csrr %0, mhartid" : "=r"(thread));
  return thread;
}

__attribute__((noinline)) static void kernel(void);

int _start(void)
{
  /* vx_wspawn: the other warps begin in the kernel. */
  __asm__ volatile(".insn r 0x0b, 1, 0, x0, %0, %1" : : "r"(WARPS), "r"(kernel));
  kernel();
  return 0;
}

#endif
