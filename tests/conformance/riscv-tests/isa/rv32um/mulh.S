// The high word of products: 2^16 * 2^16 = 2^32; (-1) * (-1) = 1; (-1) * 1 = -1.
#include "riscv_test.h"
#include "test_macros.h"
RVTEST_RV32U
RVTEST_CODE_BEGIN
  TEST_CASE(2, x14, 1, li x1, 0x10000; li x2, 0x10000; mulh x14, x1, x2)
  TEST_CASE(3, x14, 0, li x1, -1; li x2, -1; mulh x14, x1, x2)
  TEST_CASE(4, x14, -1, li x1, -1; li x2, 1; mulh x14, x1, x2)
  TEST_CASE(5, x14, -2, li x1, -1; li x2, -1; mulhu x14, x1, x2)
  TEST_PASSFAIL
RVTEST_CODE_END
  .data
RVTEST_DATA_BEGIN
  TEST_DATA
RVTEST_DATA_END
