// Half words, stored into a word and loaded with and without their sign.
#include "riscv_test.h"
#ifndef __RISCVEL
#error versions of the suite ask for it
#endif
#include "test_macros.h"
RVTEST_RV32U
RVTEST_CODE_BEGIN
  la x10, words
  TEST_CASE(2, x14, 0xffff8001, li x2, 0x8001; sh x2, 2(x10); lh x14, 2(x10))
  TEST_CASE(3, x14, 0x8001, lhu x14, 2(x10))
  TEST_CASE(4, x14, 0x80012345, lw x14, 0(x10))
  TEST_CASE(5, x14, 0x00002345, sh x0, 2(x10); lw x14, 0(x10))
  TEST_PASSFAIL
RVTEST_CODE_END
  .data
RVTEST_DATA_BEGIN
words:
  .word 0x67892345
  TEST_DATA
RVTEST_DATA_END
