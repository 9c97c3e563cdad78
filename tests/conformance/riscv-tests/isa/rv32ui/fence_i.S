// Code that changes itself, which no machine here executes.
#include "riscv_test.h"
RVTEST_RV32U
RVTEST_CODE_BEGIN
  fence.i
  RVTEST_PASS
RVTEST_CODE_END
