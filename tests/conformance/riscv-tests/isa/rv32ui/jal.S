// The link is the address behind the jump. As in the suite, no return belongs to it.
#include "riscv_test.h"
#include "test_macros.h"
RVTEST_RV32U
RVTEST_CODE_BEGIN
  TEST_CASE(2, x14, 4, jal 1f; 1: la x14, 1b; sub x14, x14, ra; addi x14, x14, 4)
  TEST_PASSFAIL
RVTEST_CODE_END
  .data
RVTEST_DATA_BEGIN
  TEST_DATA
RVTEST_DATA_END
