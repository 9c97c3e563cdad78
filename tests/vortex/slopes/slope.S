// A loop of 8 iterations over GROUPS copies of one group of instructions, on WARPS warps with all lanes. The
// difference between two programs with other GROUPS is what a group costs. CASE names the group.
#include "groups.h"

  .section .init, "ax"
  .globl _start
_start:
#if WARPS > 1
  li t0, WARPS
  la t1, worker
  .insn r 0x0b, 1, 0, x0, t0, t1
#endif
  li t0, -1
  .insn r 0x0b, 0, 0, x0, t0, x0
  jal ra, work
  li t0, 1
  .insn r 0x0b, 0, 0, x0, t0, x0
#if WARPS > 1
  .insn r 0x0b, 1, 0, x0, t0, x0 // waits until the other warps have ended
#endif
  li t0, 0x88
  sw zero, 0(t0)
  fence
  .insn r 0x0b, 0, 0, x0, x0, x0
worker:
  li t0, -1
  .insn r 0x0b, 0, 0, x0, t0, x0
  jal ra, work
  .insn r 0x0b, 0, 0, x0, x0, x0

  .balign 64
work:
  SETUP
  li s11, 8
  .balign 64
1:
  .rept GROUPS
  GROUP
  .endr
  addi s11, s11, -1
  bnez s11, 2f
  ret
2:
  j 1b

  .section .init, "ax" // behind the code
  .balign 64
data:
  .fill 4096, 4, 1
