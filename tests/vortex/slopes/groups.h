// clang-format off
/* The groups of slope.S: SETUP prepares and GROUP repeats instructions, by CASE. x5 and f1, f2, f3 are operands in
 * different register banks; the eight destinations x10..x17 and f10..f17 are independent. */

#define LOCAL 0xffff0000
#define FLOATS                                                                                                         \
  li x5, 1;                                                                                                            \
  li x6, 3;                                                                                                            \
  li x9, 5;                                                                                                            \
  fcvt.s.w f1, x5;                                                                                                     \
  fcvt.s.w f2, x5;                                                                                                     \
  fcvt.s.w f3, x5;                                                                                                     \
  fcvt.s.w f5, x5;                                                                                                     \
  fcvt.s.w f9, x5
#define EIGHT_X(op, ...)                                                                                               \
  op x10, __VA_ARGS__;                                                                                                 \
  op x11, __VA_ARGS__;                                                                                                 \
  op x12, __VA_ARGS__;                                                                                                 \
  op x13, __VA_ARGS__;                                                                                                 \
  op x14, __VA_ARGS__;                                                                                                 \
  op x15, __VA_ARGS__;                                                                                                 \
  op x16, __VA_ARGS__;                                                                                                 \
  op x17, __VA_ARGS__
#define EIGHT_F(op, ...)                                                                                               \
  op f10, __VA_ARGS__;                                                                                                 \
  op f11, __VA_ARGS__;                                                                                                 \
  op f12, __VA_ARGS__;                                                                                                 \
  op f13, __VA_ARGS__;                                                                                                 \
  op f14, __VA_ARGS__;                                                                                                 \
  op f15, __VA_ARGS__;                                                                                                 \
  op f16, __VA_ARGS__;                                                                                                 \
  op f17, __VA_ARGS__

/* Each of `one` with its own destination, followed by an addi. */
#define WITH_ADDI(one)                                                                                                 \
  one(10);                                                                                                             \
  addi x18, x0, 1;                                                                                                     \
  one(11);                                                                                                             \
  addi x19, x0, 1;                                                                                                     \
  one(12);                                                                                                             \
  addi x20, x0, 1;                                                                                                     \
  one(13);                                                                                                             \
  addi x21, x0, 1;                                                                                                     \
  one(14);                                                                                                             \
  addi x22, x0, 1;                                                                                                     \
  one(15);                                                                                                             \
  addi x23, x0, 1;                                                                                                     \
  one(16);                                                                                                             \
  addi x24, x0, 1;                                                                                                     \
  one(17);                                                                                                             \
  addi x25, x0, 1
#define EIGHT_TIMES(...)                                                                                               \
  __VA_ARGS__;                                                                                                         \
  __VA_ARGS__;                                                                                                         \
  __VA_ARGS__;                                                                                                         \
  __VA_ARGS__;                                                                                                         \
  __VA_ARGS__;                                                                                                         \
  __VA_ARGS__;                                                                                                         \
  __VA_ARGS__;                                                                                                         \
  __VA_ARGS__

/* x5: a word that holds its own address, `step` bytes from that of the previous lane. */
#define CHAIN(base, step)                                                                                              \
  csrr x7, 0xcc0;                                                                                                      \
  li x8, step;                                                                                                         \
  mul x7, x7, x8;                                                                                                      \
  lui x5, %hi(base); addi x5, x5, %lo(base);                                                                                                        \
  add x5, x5, x7;                                                                                                      \
  sw x5, 0(x5)

/* x5: a thread's stack, 8 KB below that of the previous thread: all are in one bank of the data cache and one
 * pseudo-channel of DRAM. */
#define STACKS                                                                                                         \
  csrr x7, 0xf14;                                                                                                      \
  slli x7, x7, 13;                                                                                                     \
  li x5, 0xfffeff00;                                                                                                   \
  sub x5, x5, x7
#define FOUR_ON_STACK(op)                                                                                              \
  op x10, 0(x5);                                                                                                       \
  op x11, 4(x5);                                                                                                       \
  op x12, 8(x5);                                                                                                       \
  op x13, 12(x5)

#if defined CASE_addi
#define SETUP FLOATS
#define GROUP EIGHT_X(addi, x0, 1)
#elif defined CASE_add_one_bank
#define SETUP FLOATS
#define GROUP EIGHT_X(add, x5, x9)
#elif defined CASE_mul
#define SETUP FLOATS
#define GROUP EIGHT_X(mul, x5, x6)
#elif defined CASE_div
#define SETUP FLOATS
#define GROUP EIGHT_X(div, x5, x6)
#elif defined CASE_csrr
#define SETUP FLOATS
#define GROUP EIGHT_X(csrr, 0xcc0)
#elif defined CASE_fmin
#define SETUP FLOATS
#define GROUP EIGHT_F(fmin.s, f1, f2)
#elif defined CASE_fmadd
#define SETUP FLOATS
#define GROUP EIGHT_F(fmadd.s, f1, f2, f3)
#elif defined CASE_fmadd_one_bank
#define SETUP FLOATS
#define GROUP EIGHT_F(fmadd.s, f1, f5, f9)
#elif defined CASE_fcvt
#define SETUP FLOATS
#define GROUP EIGHT_F(fcvt.s.w, x5)
#elif defined CASE_fdiv
#define SETUP FLOATS
#define GROUP EIGHT_F(fdiv.s, f1, f2)
#elif defined CASE_fsqrt
#define SETUP FLOATS
#define GROUP EIGHT_F(fsqrt.s, f1)
#elif defined CASE_untaken
#define SETUP FLOATS
#define GROUP EIGHT_TIMES(bne x0, x0, .+4)
#elif defined CASE_tmc
#define SETUP li x5, -1
#define GROUP EIGHT_TIMES(.insn r 0x0b, 0, 0, x0, x5, x0)
#elif defined CASE_jal
#define SETUP FLOATS
#define GROUP EIGHT_TIMES(jal x0, .+4)
#elif defined CASE_fadd_addi
#define SETUP FLOATS
#define FADD(n) fadd.s f##n, f1, f2
#define GROUP WITH_ADDI(FADD)
#elif defined CASE_lw_addi
#define SETUP la x5, data
#define LW(n) lw x##n, 0(x5)
#define GROUP WITH_ADDI(LW)
#elif defined CASE_lmem_sw_addi
#define SETUP CHAIN(LOCAL, 4)
#define SW(n) sw x##n, 0(x5)
#define GROUP WITH_ADDI(SW)
#elif defined CASE_lw
#define SETUP la x5, data
#define GROUP EIGHT_X(lw, 0(x5))
#elif defined CASE_lw_chain
#define SETUP CHAIN(data, 0)
#define GROUP EIGHT_TIMES(lw x5, 0(x5))
#elif defined CASE_lmem_chain
#define SETUP CHAIN(LOCAL, 4)
#define GROUP EIGHT_TIMES(lw x5, 0(x5))
#elif defined CASE_lines_chain
#define SETUP CHAIN(data, 64)
#define GROUP EIGHT_TIMES(lw x5, 0(x5))
#elif defined CASE_add_chain
#define SETUP li x5, 1
#define GROUP EIGHT_TIMES(add x5, x5, x0)
#elif defined CASE_fmadd_chain
#define SETUP FLOATS
#define GROUP EIGHT_TIMES(fmadd.s f1, f1, f2, f3)
#elif defined CASE_csrr_chain
#define SETUP FLOATS
#define GROUP EIGHT_TIMES(csrr x10, 0xcc0)
#elif defined CASE_save
#define SETUP STACKS
#define GROUP FOUR_ON_STACK(sw)
#elif defined CASE_restore
#define SETUP STACKS
#define GROUP FOUR_ON_STACK(lw)
#elif defined CASE_fence
#define SETUP la x5, data
#define GROUP EIGHT_TIMES(fence)
#else
#error "no such CASE"
#endif
