/* The multiplier: three stages and a two-entry result queue (specification: write-back consumes the result in e+5, so
 * it is in the queue in e+4; the unit accepts unless stage 3 holds a result and the queue is full). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random.h"
#include "timing/pipeline/arithmetic_units.h"

static struct sl_response product(unsigned n)
{
  return sl_response(1, n, n);
}

/* A cycle in which no result is taken; an instruction enters if `n` is not negative. Returns whether the unit accepts.
 */
static bool step(struct sl_multiplier *m, int64_t now, int n)
{
  const bool ready = sl_multiplier_cycle(m, now);
  if (ready && n >= 0)
    sl_multiplier_put(m, product((unsigned)n));
  return ready;
}

static void result_is_in_the_queue_in_e_plus_4_not_e_plus_3(void **state)
{
  (void)state;
  struct sl_multiplier m;
  sl_multiplier_init(&m);
  assert_false(sl_multiplier_busy(&m));
  assert_true(step(&m, 0, 7));
  assert_true(sl_multiplier_busy(&m));
  for (int64_t now = 1; now <= 3; now++) {
    assert_int_equal(m.result.count, 0);
    assert_true(step(&m, now, -1));
  }
  assert_int_equal(m.result.count, 1); /* the state at the start of cycle 4 */
  assert_int_equal(sl_response_rd(sl_register_take(&m.result, 4)), 7);
  assert_false(sl_multiplier_busy(&m));
}

static void accepts_an_instruction_per_cycle_in_order(void **state)
{
  (void)state;
  struct sl_multiplier m;
  sl_multiplier_init(&m);
  unsigned taken = 0;
  for (int64_t now = 0; now < 32; now++) {
    if (m.result.count > 0)
      assert_int_equal(sl_response_rd(sl_register_take(&m.result, now)), taken++);
    assert_true(step(&m, now, (int)now));
  }
  assert_int_equal(taken, 28); /* those accepted in cycles 0 to 27 */
}

/* Cycles 3 and 4 fill the queue; in cycle 5 the third result finds it full. */
static void holds_five_instructions_not_six(void **state)
{
  (void)state;
  struct sl_multiplier m;
  sl_multiplier_init(&m);
  for (int n = 0; n < 5; n++)
    assert_true(step(&m, n, n));
  assert_false(step(&m, 5, 5));
  assert_false(step(&m, 6, 5));
}

static void a_full_queue_alone_does_not_stall(void **state)
{
  (void)state;
  struct sl_multiplier m;
  sl_multiplier_init(&m);
  step(&m, 0, 0);
  step(&m, 1, 1);
  for (int64_t now = 2; now < 10; now++)
    assert_true(step(&m, now, -1));
  assert_int_equal(m.result.count, 2);
  /* The next is in stage 1, 2, 3 in cycles 11, 12, 13 and stalls only then. */
  assert_true(step(&m, 10, 2));
  assert_true(step(&m, 11, -1));
  assert_true(step(&m, 12, -1));
  assert_false(step(&m, 13, -1));
}

static void a_stall_ends_a_cycle_after_a_result_is_taken(void **state)
{
  (void)state;
  struct sl_multiplier m;
  sl_multiplier_init(&m);
  for (int n = 0; n < 5; n++)
    step(&m, n, n);
  assert_int_equal(sl_response_rd(sl_register_take(&m.result, 6)), 0);
  assert_false(step(&m, 6, -1)); /* a register holds "full" */
  assert_true(step(&m, 7, -1));
}

static void a_stall_keeps_results_and_order(void **state)
{
  (void)state;
  struct sl_multiplier m;
  sl_multiplier_init(&m);
  int put = 0;
  unsigned taken = 0;
  for (int64_t now = 0; now < 300; now++) {
    if (m.result.count > 0 && now % 3 == 0)
      assert_int_equal(sl_response_rd(sl_register_take(&m.result, now)), taken++);
    if (step(&m, now, put < 60 ? put : -1) && put < 60)
      put++;
  }
  assert_int_equal(taken, 60);
  assert_false(sl_multiplier_busy(&m));
}

/* Instructions enter and results are taken in random cycles. */
static void events_match_the_stages(void **state)
{
  (void)state;
  uint64_t random = 1;
  struct sl_multiplier m;
  struct sl_multiplier_events e;
  sl_multiplier_init(&m);
  sl_multiplier_events_init(&e);
  unsigned slowly = 1;
  for (int64_t now = 0; now < 100000; now++) {
    slowly = random_below(&random, 64) == 0 ? 1 + random_below(&random, 4) : slowly;
    assert_int_equal(m.result.count > 0, e.product < now);
    if (m.result.count > 0 && random_below(&random, slowly) == 0) {
      assert_int_equal(sl_multiplier_events_oldest(&e).tag, sl_register_take(&m.result, now).tag);
      sl_multiplier_events_take(&e, now);
    }
    const bool ready = sl_multiplier_cycle(&m, now);
    assert_int_equal(ready, sl_multiplier_events_can_put(&e, now));
    assert_int_equal(sl_multiplier_busy(&m), sl_multiplier_events_busy(&e));
    if (!ready || random_below(&random, 2) == 0)
      continue;
    sl_multiplier_put(&m, product((unsigned)now & 31));
    sl_multiplier_events_put(&e, product((unsigned)now & 31), now);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(result_is_in_the_queue_in_e_plus_4_not_e_plus_3),
      cmocka_unit_test(accepts_an_instruction_per_cycle_in_order),
      cmocka_unit_test(holds_five_instructions_not_six),
      cmocka_unit_test(a_full_queue_alone_does_not_stall),
      cmocka_unit_test(a_stall_ends_a_cycle_after_a_result_is_taken),
      cmocka_unit_test(a_stall_keeps_results_and_order),
      cmocka_unit_test(events_match_the_stages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
