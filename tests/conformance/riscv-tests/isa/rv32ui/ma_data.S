// A halfword at an odd address: its bytes, where a machine has such accesses.
#include "riscv_test.h"
#include "test_macros.h"
RVTEST_RV32U
RVTEST_CODE_BEGIN
  TEST_CASE(2, x14, 0x0201, la x1, words; lh x14, 1(x1))
  TEST_PASSFAIL
RVTEST_CODE_END
  .data
RVTEST_DATA_BEGIN
words: .word 0x03020100
  TEST_DATA
RVTEST_DATA_END
