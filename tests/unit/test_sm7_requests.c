/* machine/sm7: the order of a greedy scheduler, and the requests of memory instructions: lsu.interval, constant.unit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sm7_program.h"

enum { FEW = 8, MANY = 24, WARPS = 32 };

typedef void body_maker(void);

/* The cost of one more copy of the body to all warps. */
static uint64_t slope(const struct sl_sm7_spec *spec, body_maker *body, unsigned warps)
{
  uint64_t cycles[2];
  for (unsigned n = 0; n < 2; n++) {
    new_program();
    for (unsigned i = 0; i < (n ? MANY : FEW); i++)
      body();
    end_program();
    cycles[n] = cycles_of(spec, 1, warps * SL_SM7_LANES, 0);
    assert_true(cycles[n] > 0);
  }
  return (cycles[1] - cycles[0]) / (MANY - FEW);
}

static void shared_word(void)
{
  memory(SL_SM7_LOAD, SL_SM7_SHARED, 1, 1, 0, 4);
}

static void shared_conflict(void)
{
  memory(SL_SM7_LOAD, SL_SM7_SHARED, 1, 1, 0, 32 * 4);
}

/* 32 different words. */
static void constants(void)
{
  memory(SL_SM7_LOAD, SL_SM7_CONST, 1, 1, 0, 4);
}

static void constants_and_shared_words(void)
{
  memory(SL_SM7_LOAD, SL_SM7_CONST, 1, 1, 0, 4);
  for (int i = 0; i < 8; i++)
    memory(SL_SM7_LOAD, SL_SM7_SHARED, 2 + i, 1, 0, 4);
}

static void requests_are_accepted_at_the_interval(void **state)
{
  (void)state;
  struct sl_sm7_spec spec = defaults();
  const uint64_t latency = slope(&spec, shared_word, 1), conflicts = slope(&spec, shared_conflict, 1);
  assert_in_range(slope(&spec, shared_word, WARPS), WARPS, 2 * WARPS); /* collectors take more than one cycle */
  spec.lsu_interval = 4;
  assert_in_range(slope(&spec, shared_word, WARPS), 4 * WARPS, 4 * WARPS + WARPS / 2); /* some warps end early */
  assert_int_equal(slope(&spec, shared_word, 1), latency);                             /* the first does not wait */
  assert_int_equal(slope(&spec, shared_conflict, 1), conflicts);
  assert_int_equal(slope(&spec, shared_conflict, WARPS), 32 * WARPS); /* one bank is busy for longer */
}

static void each_word_of_constant_memory_is_a_request(void **state)
{
  (void)state;
  struct sl_sm7_spec spec = defaults();
  spec.constant_passes = true;
  assert_int_equal(slope(&spec, constants, WARPS), 32 * WARPS);
  const uint64_t one = slope(&spec, constants, 1);
  spec.lsu_interval = 2;
  assert_int_equal(slope(&spec, constants, WARPS), 2 * 32 * WARPS);
  assert_int_equal(slope(&spec, constants, 1), one + 31); /* the last word is not followed by an interval */
}

static void constants_of_their_own_unit_do_not_delay_shared_memory(void **state)
{
  (void)state;
  struct sl_sm7_spec spec = defaults();
  spec.constant_passes = true;
  assert_in_range(slope(&spec, constants_and_shared_words, WARPS), (32 + 8) * WARPS, (32 + 8) * WARPS + WARPS);
  spec.constant_unit = true;
  assert_in_range(slope(&spec, constants_and_shared_words, WARPS), 32 * WARPS, 32 * WARPS + 4 * WARPS);
}

/* Instructions that the first and the last of a scheduler's eight warps have issued after some cycles. Each waits 9
 * cycles for its last result, and the unit takes an instruction every 2 cycles, so half of the warps can go on. */
static void issued_after(unsigned cycles, uint32_t scheduler, uint32_t issued[2])
{
  struct sl_error err = {0};
  struct sl_sm7_gpu *gpu = NULL;
  struct sl_sm7_spec spec = defaults();
  spec.scheduler = scheduler;
  new_program();
  for (int i = 0; i < 200; i++)
    alu(SL_SM7_INT, SL_SM7_C_INT_ADD, 1, 1, 2);
  end_program();
  program.threads = WARPS * SL_SM7_LANES;
  const struct sl_sm7_front front = program_front();
  const struct sl_sm7_demand demand = {.blocks = 1, .threads = program.threads, .registers = 16};
  assert_int_equal(sl_sm7_gpu_create(&gpu, &spec, &err), SL_OK);
  assert_int_equal(sl_sm7_gpu_launch(gpu, &front, &demand, &err), SL_OK);
  (void)sl_sm7_gpu_run(gpu, cycles);
  issued[0] = program.pc[0][0];
  issued[1] = program.pc[0][WARPS - 1];
  sl_sm7_gpu_destroy(gpu);
}

static void a_greedy_scheduler_prefers_the_oldest_or_the_youngest(void **state)
{
  (void)state;
  uint32_t fair[2], oldest[2], youngest[2];
  issued_after(400, SL_SM7_LRR, fair);
  issued_after(400, SL_SM7_GTO, oldest);
  issued_after(400, SL_SM7_GTY, youngest);
  assert_in_range(fair[0], fair[1] - 2, fair[1] + 2);
  assert_true(oldest[0] > 2 * oldest[1]);
  assert_true(youngest[1] > 2 * youngest[0]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(requests_are_accepted_at_the_interval),
      cmocka_unit_test(each_word_of_constant_memory_is_a_request),
      cmocka_unit_test(constants_of_their_own_unit_do_not_delay_shared_memory),
      cmocka_unit_test(a_greedy_scheduler_prefers_the_oldest_or_the_youngest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
