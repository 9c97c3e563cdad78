// 0f0f0f0f ^ 00ff00ff, a word with itself, and its complement; the fourth word of the signature stays.
#include "model_test.h"
#include "arch_test.h"
RVTEST_ISA("RV32I")
  .section .text.init
  .globl rvtest_entry_point
rvtest_entry_point:
RVMODEL_BOOT
RVTEST_CODE_BEGIN
#ifdef TEST_CASE_1
RVTEST_CASE(0, "//check ISA:=regex(.*32.*); def TEST_CASE_1=True;", xor-01)
  RVTEST_SIGBASE(x1, signature_x1)
  li x2, 0x0f0f0f0f
  li x3, 0x00ff00ff
  xor x4, x2, x3
  RVTEST_SIGUPD(x1, x4, 0)
  xor x4, x4, x4
  RVTEST_SIGUPD(x1, x4, 4)
  xori x5, x2, -1
  RVTEST_SIGUPD(x1, x5, 8)
#endif
RVTEST_CODE_END
RVMODEL_HALT
RVTEST_DATA_BEGIN
RVTEST_DATA_END
RVMODEL_DATA_BEGIN
signature_x1:
  .fill 4, 4, 0xdeadbeef
RVMODEL_DATA_END
