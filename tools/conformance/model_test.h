// What riscv-arch-test asks of a model, for simtlab: a test is a function that call.S calls, and run.c
// prints its signature.
// clang-format off
#ifndef SIMTLAB_MODEL_TEST_H
#define SIMTLAB_MODEL_TEST_H

#define RVMODEL_BOOT      \
  .globl conformance_test; \
  conformance_test:
#define RVMODEL_HALT \
  li a0, 0;          \
  j conformance_done

#define RVMODEL_DATA_BEGIN \
  .balign 16;              \
  .globl begin_signature;  \
  begin_signature:
#define RVMODEL_DATA_END \
  .balign 4;             \
  .globl end_signature;  \
  end_signature:

#define RVMODEL_IO_INIT
#define RVMODEL_IO_WRITE_STR(register, text)
#define RVMODEL_IO_CHECK()
#define RVMODEL_IO_ASSERT_GPR_EQ(spare, register, value)
#define RVMODEL_IO_ASSERT_SFPR_EQ(spare, register, value)
#define RVMODEL_IO_ASSERT_DFPR_EQ(spare, register, value)
#define RVMODEL_SET_MSW_INT
#define RVMODEL_CLEAR_MSW_INT
#define RVMODEL_CLEAR_MTIMER_INT
#define RVMODEL_CLEAR_MEXT_INT

#endif
