// The old value comes back, the sum stays.
#include "riscv_test.h"
#include "test_macros.h"
RVTEST_RV32U
RVTEST_CODE_BEGIN
  la x10, word
  TEST_CASE(2, x14, 5, li x1, 5; sw x1, 0(x10); li x2, -8; amoadd.w x14, x2, (x10))
  TEST_CASE(3, x14, -3, lw x14, 0(x10))
  TEST_PASSFAIL
RVTEST_CODE_END
  .data
RVTEST_DATA_BEGIN
word:
  .word 0
  TEST_DATA
RVTEST_DATA_END
