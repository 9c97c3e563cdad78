// Flags are clear when a test begins; 1.5 + 2.25 = 3.75, by the bits of IEEE 754; infinity less itself is invalid (flag 16), which
// the thread that comes next shall not see.
#include "riscv_test.h"
#include "test_macros.h"
RVTEST_RV32UF
RVTEST_CODE_BEGIN
  TEST_CASE(2, x14, 0, frflags x14)
  TEST_CASE(3, x14, 0x40700000, li x1, 0x3fc00000; fmv.w.x f1, x1; li x1, 0x40100000; fmv.w.x f2, x1; fadd.s f3, f1, f2; fmv.x.w x14, f3)
  TEST_CASE(4, x14, 16, li x1, 0x7f800000; fmv.w.x f1, x1; fsub.s f3, f1, f1; frflags x14)
  TEST_PASSFAIL
RVTEST_CODE_END
  .data
RVTEST_DATA_BEGIN
  TEST_DATA
RVTEST_DATA_END
