/* machine/sm7/core/sm7_phases.c: extra cycles of fetching linear instructions and of linear operands, and SMs that wait
 * for each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "machine/sm7/core/sm7_stages.h"
#include "sm7_program.h"

enum { LINEAR = 12, REST = 6, SKIPPED = 6 }; /* instructions; SKIPPED: linear instructions, by SM 0 */

struct seen {
  uint64_t last_linear[2], first_rest[2], end[2]; /* cycles, by SM */
};

/* A warp computes coefficients, its threads' part, its block's part, then the rest. */
static uint8_t phase(void *context, unsigned sm, unsigned slot, unsigned warp)
{
  (void)context;
  const uint32_t pc = program.pc[sm][warp_number(slot, warp)];
  return pc < LINEAR ? (uint8_t)(pc < SKIPPED ? 0 : (pc - SKIPPED) / 2) : SL_SM7_PHASE_REST;
}

static uint32_t lanes(void *context, unsigned sm, unsigned slot, unsigned warp, uint32_t *pc)
{
  program_lanes(context, sm, slot, warp, pc);
  program.pc[sm][warp_number(slot, warp)] = *pc = sm == 0 ? SKIPPED : 0;
  return UINT32_MAX;
}

static bool issue(void *context, unsigned sm, unsigned slot, unsigned warp, uint64_t cycle,
                  struct sl_sm7_effect *effect)
{
  struct seen *seen = context;
  const uint32_t pc = program.pc[sm][warp_number(slot, warp)];
  if (pc < LINEAR)
    seen->last_linear[sm] = cycle;
  if (pc == LINEAR)
    seen->first_rest[sm] = cycle;
  seen->end[sm] = cycle;
  return program_issue(context, sm, slot, warp, cycle, effect);
}

/* Independent instructions of one warp on each of this many SMs. */
static struct seen run(const struct sl_sm7_spec *spec, uint64_t blocks)
{
  struct seen seen = {0};
  struct sl_error err;
  struct sl_sm7_gpu *gpu;
  new_program();
  for (int i = 0; i < LINEAR + REST; i++)
    alu(SL_SM7_INT, SL_SM7_C_OTHER, NO_REGISTER, NO_REGISTER, NO_REGISTER);
  program.threads = SL_SM7_LANES;
  struct sl_sm7_front front = program_front();
  front.context = &seen;
  front.phase = phase;
  front.lanes = lanes;
  front.issue = issue;
  const struct sl_sm7_demand demand = {.blocks = blocks, .threads = SL_SM7_LANES, .registers = 32};
  assert_int_equal(sl_sm7_gpu_create(&gpu, spec, &err), SL_OK);
  assert_int_equal(sl_sm7_gpu_launch(gpu, &front, &demand, &err), SL_OK);
  assert_int_equal(sl_sm7_gpu_run(gpu, 1000000), SL_OK);
  sl_sm7_gpu_destroy(gpu);
  return seen;
}

static struct sl_sm7_spec one_cluster(void)
{
  struct sl_sm7_spec spec = defaults();
  spec.clusters = 1;
  return spec;
}

/* Instructions are fetched in pairs: SM 0 fetches three pairs of linear ones, each after the issue of the pair before.
 */
static void each_fetch_of_linear_instructions_takes_longer(void **state)
{
  (void)state;
  struct sl_sm7_spec spec = one_cluster();
  const struct seen plain = run(&spec, 1);
  for (unsigned more = 1; more <= 7; more++) {
    spec.linear_fetch = more;
    const struct seen seen = run(&spec, 1);
    assert_int_equal(seen.last_linear[0], plain.last_linear[0] + 3 * more);
    assert_int_equal(seen.first_rest[0], plain.first_rest[0] + 3 * more);
    assert_int_equal(seen.end[0], plain.end[0] + 3 * more);
  }
}

/* SM 0 has half as many linear instructions, and resumes in the cycle after the last of SM 1. */
static void all_sms_wait_for_all_linear_registers(void **state)
{
  (void)state;
  struct sl_sm7_spec spec = one_cluster();
  const struct seen alone = run(&spec, 2);
  assert_true(alone.first_rest[0] < alone.last_linear[1]);
  spec.linear_global = 1;
  const struct seen seen = run(&spec, 2);
  assert_int_equal(seen.last_linear[0], alone.last_linear[0]);
  assert_int_equal(seen.last_linear[1], alone.last_linear[1]);
  assert_int_equal(seen.first_rest[0], seen.last_linear[1] + 1);
  assert_int_equal(seen.first_rest[1], alone.first_rest[1]);
}

/* SMs without a block are not waited for. */
static void a_grid_of_one_block_does_not_wait(void **state)
{
  (void)state;
  struct sl_sm7_spec spec = one_cluster();
  const struct seen alone = run(&spec, 1);
  spec.linear_global = 1;
  const struct seen seen = run(&spec, 1);
  assert_int_equal(seen.end[0], alone.end[0]);
}

/* A load whose operand is collected in a cycle continues after the sum, at the earliest in the next cycle. */
static void a_linear_operand_is_ready_after_its_sum(void **state)
{
  (void)state;
  struct sl_sm7_spec spec = one_cluster();
  uint64_t plain = 0;
  for (unsigned adds = 1; adds <= 9; adds++) {
    new_program();
    memory(SL_SM7_LOAD, SL_SM7_SHARED, 1, 0, 0, 4)->adds = (uint8_t)adds;
    alu(SL_SM7_SP, SL_SM7_C_F32_ADD, 2, 1, NO_REGISTER);
    end_program();
    const uint64_t cycles = cycles_of(&spec, 1, SL_SM7_LANES, 0);
    plain = adds == 1 ? cycles : plain;
    assert_int_equal(cycles, plain + adds - 1);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_fetch_of_linear_instructions_takes_longer),
      cmocka_unit_test(all_sms_wait_for_all_linear_registers),
      cmocka_unit_test(a_grid_of_one_block_does_not_wait),
      cmocka_unit_test(a_linear_operand_is_ready_after_its_sum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
