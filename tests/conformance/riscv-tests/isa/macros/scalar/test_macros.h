// The few macros that these tests use, in the names of riscv-tests.
// clang-format off
#define TEST_CASE(number, register, expected, code...) \
  test_##number:                                       \
  li TESTNUM, number;                                  \
  code;                                                \
  li x7, expected;                                     \
  bne register, x7, fail

#define TEST_PASSFAIL     \
  bne x0, TESTNUM, pass;  \
  fail:                   \
  RVTEST_FAIL;            \
  pass:                   \
  RVTEST_PASS

#define TEST_DATA
