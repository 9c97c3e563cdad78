// WSPAWN and BAR: all warps begin with lane 0, meet twice, and see what the others have stored before.
#include "control.h"
  .globl _start
_start:
  WARPS(s1)
  la s2, worker
  WSPAWN(s1, s2)
  j worker
worker:
  MASK(a2)
  li s3, 1
  bne a2, s3, wrong
  WARP(a0)
  WARPS(s1)
  slli a1, a0, 2
  la s4, cells
  add a1, a1, s4
  addi a0, a0, 1
  sw a0, (a1)
  li s5, 1
  BAR(s5, s1)
  // The sum of 1 to warps.
  li a3, 0
  mv a4, s1
  mv a5, s4
1:
  lw a6, (a5)
  add a3, a3, a6
  addi a5, a5, 4
  addi a4, a4, -1
  bnez a4, 1b
  addi a4, s1, 1
  mul a4, a4, s1
  srli a4, a4, 1
  sub a3, a3, a4
  beqz a3, 2f
wrong:
  la s6, failed
  li s3, 1
  sw s3, (s6)
2:
  li s5, 2
  BAR(s5, s1)
  WARP(a0)
  beqz a0, 3f
  TMC(zero)
3:
  // One warp more than one: waits for the end of all others.
  li s1, 1
  WSPAWN(s1, s2)
  la s6, failed
  lw t0, (s6)
  check 1, t0, 0
end
failed: .word 0
cells: .skip 256
