// Sums, with a carry out of the word, and with both operands in one register. Branches and stack pointer like any other register.
#include "riscv_test.h"
#include "test_macros.h"
RVTEST_RV32U
RVTEST_CODE_BEGIN
  TEST_CASE(2, x14, 3, li x1, 1; li x2, 2; add x14, x1, x2)
  TEST_CASE(3, x14, 0, li x1, 0xffffffff; li x2, 1; add x14, x1, x2)
  TEST_CASE(4, x2, 0x80000000, li x2, 0x40000000; add x2, x2, x2)
  TEST_CASE(5, x4, 10, li x4, 0; li x5, 4; 1: add x4, x4, x5; addi x5, x5, -1; bnez x5, 1b)
  TEST_PASSFAIL
RVTEST_CODE_END
  .data
RVTEST_DATA_BEGIN
  TEST_DATA
RVTEST_DATA_END
