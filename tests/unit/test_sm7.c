/* machine/sm7: distances between instructions, throughputs and latencies, each in the exact cycle. The figures are
 * those of the reference's micro benchmarks and of the units' rules (docs/machines/sm7.md). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sm7_program.h"

/* What one more copy of an instruction costs. */
typedef void body_maker(unsigned copy);

static uint64_t slope(body_maker *body, uint32_t threads, uint64_t warm)
{
  enum { FEW = 8, MANY = 24 };
  const struct sl_sm7_spec spec = defaults();
  uint64_t cycles[2];
  for (unsigned n = 0; n < 2; n++) {
    new_program();
    for (unsigned i = 0; i < (n ? MANY : FEW); i++)
      body(i);
    end_program();
    cycles[n] = cycles_of(&spec, 1, threads, warm);
    assert_true(cycles[n] > 0);
  }
  return (cycles[1] - cycles[0]) / (MANY - FEW);
}

static void chain_add(unsigned copy)
{
  (void)copy;
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, 1, 1, 2);
}
static void chain_logic(unsigned copy)
{
  (void)copy;
  alu(SL_SM7_INT, SL_SM7_C_OTHER, 1, 1, 2);
}
static void chain_fma64(unsigned copy)
{
  (void)copy;
  alu(SL_SM7_DP, SL_SM7_C_F64_ADD, 1, 1, 2);
}
static void chain_sqrt(unsigned copy)
{
  (void)copy;
  alu(SL_SM7_SFU, SL_SM7_C_SFU, 1, 1, NO_REGISTER);
}
static void chain_div64(unsigned copy)
{
  (void)copy;
  alu(SL_SM7_SFU, SL_SM7_C_F64_DIV, 1, 1, 2);
}

static void a_dependent_instruction_issues_latency_plus_5_cycles_later(void **state)
{
  (void)state;
  assert_int_equal(slope(chain_add, 32, 0), 9);
  assert_int_equal(slope(chain_logic, 32, 0), 6);
  assert_int_equal(slope(chain_fma64, 32, 0), 13);
  assert_int_equal(slope(chain_sqrt, 32, 0), 105);
  assert_int_equal(slope(chain_div64, 32, 0), 335);
}

static void independent_add(unsigned copy)
{
  alu(SL_SM7_INT, SL_SM7_C_INT_ADD, 3 + (int)copy, 1, 2);
}
static void independent_logic(unsigned copy)
{
  alu(SL_SM7_INT, SL_SM7_C_OTHER, 3 + (int)copy, 1, 2);
}

/* Eight warps per scheduler. */
static void units_with_interval_2_take_an_instruction_every_other_cycle(void **state)
{
  (void)state;
  assert_int_equal(slope(independent_add, 1024, 0), 8 * 2);
  assert_int_equal(slope(independent_logic, 1024, 0), 8 * 1);
}

static void load_l2(unsigned copy)
{
  struct sl_sm7_instruction *i = memory(SL_SM7_LOAD, SL_SM7_GLOBAL, 1, 1, HEAP + copy * 4096, 0);
  (void)i;
}
static void load_again(unsigned copy)
{
  memory(SL_SM7_LOAD, SL_SM7_GLOBAL, 1, 1, HEAP, 0);
  (void)copy;
}
static void load_shared(unsigned copy)
{
  memory(SL_SM7_LOAD, SL_SM7_SHARED, 1, 1, 4096, 4);
  (void)copy;
}
static void load_conflicting(unsigned copy)
{
  memory(SL_SM7_LOAD, SL_SM7_SHARED, 1, 1, 0, 32 * 4);
  (void)copy;
}
static void load_param(unsigned copy)
{
  memory(SL_SM7_LOAD, SL_SM7_CONST, 1, 1, 0, 0);
  (void)copy;
}
static void add_in_l2(unsigned copy)
{
  memory(SL_SM7_ATOMIC, SL_SM7_GLOBAL, 1, 1, HEAP + copy * 4096, 4)->uncached = true;
}

static void loads_have_the_latency_of_where_they_hit(void **state)
{
  (void)state;
  assert_int_equal(slope(load_param, 32, 0), 4);
  assert_int_equal(slope(load_again, 32, 64), 24);
  assert_int_equal(slope(load_shared, 32, 0), 25);
  assert_int_equal(slope(load_conflicting, 32, 0), 25 + 31);
  assert_int_equal(slope(load_l2, 32, 24 * 4096), 193);
}

static void an_atomic_blocks_its_warp_until_its_answer(void **state)
{
  (void)state;
  /* 172 for one sector; three more follow in the cycles after it. */
  assert_int_equal(slope(add_in_l2, 32, 24 * 4096), 172 + 3);
}

static void barrier(unsigned copy)
{
  put(SL_SM7_INT, SL_SM7_C_OTHER, SL_SM7_BARRIER, NO_REGISTER, NO_REGISTER, NO_REGISTER);
  (void)copy;
}

static void a_barrier_costs_its_issues(void **state)
{
  (void)state;
  assert_int_equal(slope(barrier, 32, 0), 1);
  assert_int_equal(slope(barrier, 1024, 0), 8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_dependent_instruction_issues_latency_plus_5_cycles_later),
      cmocka_unit_test(units_with_interval_2_take_an_instruction_every_other_cycle),
      cmocka_unit_test(loads_have_the_latency_of_where_they_hit),
      cmocka_unit_test(an_atomic_blocks_its_warp_until_its_answer),
      cmocka_unit_test(a_barrier_costs_its_issues),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
