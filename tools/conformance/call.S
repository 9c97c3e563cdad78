// int conformance_call(void): runs a test of a suite, which uses all registers as it likes, and returns 0 or the number of its
// case that failed. What a caller may expect to find again is kept in memory meanwhile, by the number of the hart.
  .text
  .option norelax // the test has taken gp
  .globl conformance_call
conformance_call:
  csrr t0, mhartid
  slli t0, t0, 6
  la t1, saved
  add t1, t1, t0
  sw ra, 0(t1)
  sw sp, 4(t1)
  sw gp, 8(t1)
  sw tp, 12(t1)
  sw s0, 16(t1)
  sw s1, 20(t1)
  sw s2, 24(t1)
  sw s3, 28(t1)
  sw s4, 32(t1)
  sw s5, 36(t1)
  sw s6, 40(t1)
  sw s7, 44(t1)
  sw s8, 48(t1)
  sw s9, 52(t1)
  sw s10, 56(t1)
  sw s11, 60(t1)
  j conformance_test

// Where tests go when they have ended, with their result in a0.
  .globl conformance_done
conformance_done:
  csrr t0, mhartid
  slli t0, t0, 6
  la t1, saved
  add t1, t1, t0
  lw ra, 0(t1)
  lw sp, 4(t1)
  lw gp, 8(t1)
  lw tp, 12(t1)
  lw s0, 16(t1)
  lw s1, 20(t1)
  lw s2, 24(t1)
  lw s3, 28(t1)
  lw s4, 32(t1)
  lw s5, 36(t1)
  lw s6, 40(t1)
  lw s7, 44(t1)
  lw s8, 48(t1)
  lw s9, 52(t1)
  lw s10, 56(t1)
  lw s11, 60(t1)
  ret

  .bss
  .balign 64
saved:
  .space 64 * HARTS
