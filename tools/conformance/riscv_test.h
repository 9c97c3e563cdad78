// The environment of riscv-tests (env/p and its like) for simtlab: a test is a function that call.S calls.
// clang-format off
#ifndef SIMTLAB_RISCV_TEST_H
#define SIMTLAB_RISCV_TEST_H

// Older versions of the suite ask compilers of their time for the order of bytes.
#define __RISCVEL 1

// What a test says of its kind stands before its first instruction, so it can only name what comes there.
#define RVTEST_RV32U .macro conformance_kind; .endm
#define RVTEST_RV64U RVTEST_RV32U
#define RVTEST_RV32UF .macro conformance_kind; csrwi fcsr, 0; .endm
#define RVTEST_RV64UF RVTEST_RV32UF

// The number of the case that runs.
#define TESTNUM gp

#define RVTEST_CODE_BEGIN \
  .text;                  \
  .globl conformance_test; \
  conformance_test:       \
  conformance_kind;       \
  li gp, 0
#define RVTEST_CODE_END
#define RVTEST_PASS \
  li a0, 0;         \
  j conformance_done
#define RVTEST_FAIL \
  mv a0, gp;        \
  bnez a0, 1f;      \
  li a0, -1;        \
  1:                \
  j conformance_done

#define EXTRA_DATA
#define RVTEST_DATA_BEGIN \
  .balign 16;             \
  .globl begin_signature; \
  begin_signature:
#define RVTEST_DATA_END \
  .balign 16;           \
  .globl end_signature; \
  end_signature:

#endif
