// -7 / 2 is -3, remainder -1; by zero all bits are set, and the remainder is the dividend.
#include "model_test.h"
#include "arch_test.h"
RVTEST_ISA("RV32M")
  .section .text.init
  .globl rvtest_entry_point
rvtest_entry_point:
RVMODEL_BOOT
RVTEST_CODE_BEGIN
#ifdef TEST_CASE_1
RVTEST_CASE(0, "//check ISA:=regex(.*32.*); def TEST_CASE_1=True;", div-01)
  RVTEST_SIGBASE(x1, signature_x1)
  li x2, -7
  li x3, 2
  div x4, x2, x3
  RVTEST_SIGUPD(x1, x4, 0)
  rem x4, x2, x3
  RVTEST_SIGUPD(x1, x4, 4)
  div x4, x2, x0
  RVTEST_SIGUPD(x1, x4, 8)
  rem x4, x2, x0
  RVTEST_SIGUPD(x1, x4, 12)
#endif
RVTEST_CODE_END
RVMODEL_HALT
RVTEST_DATA_BEGIN
RVTEST_DATA_END
RVMODEL_DATA_BEGIN
signature_x1:
  .fill 4, 4, 0xdeadbeef
RVMODEL_DATA_END
