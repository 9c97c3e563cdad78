// The few macros that these tests use, in the names of riscv-arch-test: a register points into the signature.
// clang-format off
#define RVTEST_ISA(name)
#define RVTEST_CASE(number, condition, name...)
#define RVTEST_CODE_BEGIN
#define RVTEST_CODE_END
#define RVTEST_DATA_BEGIN .data
#define RVTEST_DATA_END
#define RVTEST_SIGBASE(register, label) la register, label
#define RVTEST_SIGUPD(base, register, offset) sw register, offset(base)
