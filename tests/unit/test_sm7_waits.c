/* machine/sm7/core/sm7_waits: waiting slots are attributed to their stall reason, those of loads to the level that the
 * load was at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sm7_program.h"

enum { COPIES = 16, WARP = 32 };

/* The slots by stall reason of a program on one SM; all are attributed, and none to a load in the future. */
static struct sl_sm7_counts run(uint32_t threads, uint64_t warm)
{
  struct sl_sm7_spec spec = defaults();
  struct sl_error err = {0};
  struct sl_sm7_gpu *gpu = NULL;
  end_program();
  program.threads = threads;
  const struct sl_sm7_front front = program_front();
  const struct sl_sm7_demand demand = {.blocks = 1, .threads = threads, .registers = 16};
  assert_int_equal(sl_sm7_gpu_create(&gpu, &spec, &err), SL_OK);
  sl_sm7_gpu_copy(gpu, HEAP, warm);
  assert_int_equal(sl_sm7_gpu_launch(gpu, &front, &demand, &err), SL_OK);
  assert_int_equal(sl_sm7_gpu_run(gpu, 1000000), SL_OK);
  const struct sl_sm7_counts counts = sl_sm7_gpu_totals(gpu).sm;
  sl_sm7_gpu_destroy(gpu);
  uint64_t all = 0;
  for (unsigned i = 0; i < SL_SM7_STALL_REASONS; i++)
    all += counts.cause[i];
  assert_int_equal(all, spec.schedulers * counts.cycles);
  assert_int_equal(counts.cause[SL_SM7_STALL_REASON_MEMORY], 0);
  return counts;
}

/* A chain of dependent loads, and an instruction that depends on the last. */
static struct sl_sm7_counts loads(enum sl_sm7_space space, uint64_t distance, uint64_t warm)
{
  new_program();
  for (unsigned i = 0; i < COPIES; i++)
    memory(SL_SM7_LOAD, space, 1, 1, HEAP + i * distance, 4);
  alu(SL_SM7_INT, SL_SM7_C_OTHER, 2, 1, NO_REGISTER);
  return run(WARP, warm);
}

static uint64_t off_the_sm(const struct sl_sm7_counts *c)
{
  return c->cause[SL_SM7_STALL_REASON_CROSSBAR] + c->cause[SL_SM7_STALL_REASON_L2] + c->cause[SL_SM7_STALL_REASON_DRAM];
}

static void loads_that_hit_wait_for_l1_alone(void **state)
{
  (void)state;
  enum { BYTES = 128 };
  const struct sl_sm7_counts one_line = loads(SL_SM7_GLOBAL, 0, BYTES), lines = loads(SL_SM7_GLOBAL, BYTES, BYTES);
  /* the first hits in L2, the others merge */
  assert_true(one_line.cause[SL_SM7_STALL_REASON_L1] >= 20 * COPIES);
  assert_true(COPIES * off_the_sm(&one_line) < 2 * off_the_sm(&lines));
  assert_int_equal(one_line.cause[SL_SM7_STALL_REASON_DRAM], 0);
}

static void l2_hits_wait_for_its_delay_of_160_cycles(void **state)
{
  (void)state;
  const struct sl_sm7_counts c = loads(SL_SM7_GLOBAL, 128, 128 * COPIES);
  const uint64_t each = c.cause[SL_SM7_STALL_REASON_L2] / COPIES;
  assert_true(each >= 160 && each < 166); /* and a few between its queues */
  assert_int_equal(c.cause[SL_SM7_STALL_REASON_DRAM], 0);
  assert_true(c.cause[SL_SM7_STALL_REASON_CROSSBAR] > 0);
}

static void l2_misses_also_wait_for_dram(void **state)
{
  (void)state;
  enum { FAR = 1 << 16 };
  const struct sl_sm7_counts warm = loads(SL_SM7_GLOBAL, FAR, COPIES * FAR), cold = loads(SL_SM7_GLOBAL, FAR, 0);
  assert_int_equal(warm.cause[SL_SM7_STALL_REASON_DRAM], 0);
  assert_true(cold.cause[SL_SM7_STALL_REASON_DRAM] > 100 * COPIES);
  /* the extra cycles */
  const uint64_t longer = cold.cycles - warm.cycles;
  assert_in_range(cold.cause[SL_SM7_STALL_REASON_DRAM], longer - 8 * COPIES, longer + 8 * COPIES);
}

static void loads_from_shared_memory_and_parameters_have_their_own(void **state)
{
  (void)state;
  const struct sl_sm7_counts shared = loads(SL_SM7_SHARED, 0, 0), constant = loads(SL_SM7_CONST, 0, 0);
  assert_true(shared.cause[SL_SM7_STALL_REASON_SHARED] >= 20 * COPIES);
  assert_true(constant.cause[SL_SM7_STALL_REASON_CONSTANT] >= 2 * COPIES);
  assert_int_equal(off_the_sm(&shared) + off_the_sm(&constant), 0);
  assert_int_equal(shared.cause[SL_SM7_STALL_REASON_L1] + constant.cause[SL_SM7_STALL_REASON_L1], 0);
}

static void interrupted_waits_are_summed(void **state)
{
  (void)state;
  enum { WARPS = 32 };
  new_program();
  for (unsigned i = 0; i < COPIES; i++) {
    memory(SL_SM7_LOAD, SL_SM7_GLOBAL, 1, 2, HEAP + i * 4096, 4);
    alu(SL_SM7_INT, SL_SM7_C_OTHER, 2, 2, NO_REGISTER);
    alu(SL_SM7_SP, SL_SM7_C_OTHER, 3, 1, NO_REGISTER);
  }
  const struct sl_sm7_counts c = run(WARPS * WARP, 4096);
  assert_true(c.cause[SL_SM7_STALL_REASON_DRAM] > 0 && c.cause[SL_SM7_STALL_REASON_L1] > 0);
}

static void results_go_to_the_units_that_write_them(void **state)
{
  (void)state;
  static const struct {
    enum sl_sm7_unit unit;
    enum sl_sm7_class class;
    enum sl_sm7_stall_reason cause;
  } cases[] = {{SL_SM7_SP, SL_SM7_C_OTHER, SL_SM7_STALL_REASON_RESULT_SP},
               {SL_SM7_INT, SL_SM7_C_INT_ADD, SL_SM7_STALL_REASON_RESULT_INT},
               {SL_SM7_DP, SL_SM7_C_F64_ADD, SL_SM7_STALL_REASON_RESULT_DP},
               {SL_SM7_SFU, SL_SM7_C_SFU, SL_SM7_STALL_REASON_RESULT_SFU}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    new_program();
    for (unsigned n = 0; n < COPIES; n++)
      alu(cases[i].unit, cases[i].class, 1, 1, NO_REGISTER);
    const struct sl_sm7_counts c = run(WARP, 0);
    for (unsigned cause = SL_SM7_STALL_REASON_RESULT_SP; cause <= SL_SM7_STALL_REASON_RESULT_SFU; cause++)
      assert_int_equal(c.cause[cause] > 0, cause == cases[i].cause);
  }
}

static void instructions_with_operands_wait_for_their_unit(void **state)
{
  (void)state;
  new_program();
  for (unsigned n = 0; n < COPIES; n++)
    alu(SL_SM7_SFU, SL_SM7_C_SFU, 2 + (int)n % 8, 1, NO_REGISTER);
  const struct sl_sm7_counts c = run(WARP, 0);
  assert_true(c.cause[SL_SM7_STALL_REASON_UNIT] > c.cause[SL_SM7_STALL_REASON_COLLECTOR]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_that_hit_wait_for_l1_alone),
      cmocka_unit_test(l2_hits_wait_for_its_delay_of_160_cycles),
      cmocka_unit_test(l2_misses_also_wait_for_dram),
      cmocka_unit_test(loads_from_shared_memory_and_parameters_have_their_own),
      cmocka_unit_test(interrupted_waits_are_summed),
      cmocka_unit_test(results_go_to_the_units_that_write_them),
      cmocka_unit_test(instructions_with_operands_wait_for_their_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
