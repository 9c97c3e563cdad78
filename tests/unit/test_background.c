/* The background thread: jobs in their order, and their results seen by the owner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/thread_pool.h"

struct sum {
  unsigned job; /* written by the owner */
  unsigned value, jobs;
};

/* Depends on the order of jobs. */
static void add(void *context)
{
  struct sum *s = context;
  s->value = 3 * s->value + s->job;
  s->jobs++;
}

static void jobs_are_done_in_order(void **state)
{
  (void)state;
  struct sum done = {0}, expected = {0};
  struct sl_background *b = sl_background_create(add, &done);
  assert_non_null(b);
  for (unsigned i = 0; i < 1000; i++) {
    sl_background_wait(b);
    assert_int_equal(done.jobs, i);
    done.job = expected.job = i;
    sl_background_start(b);
    add(&expected);
  }
  sl_background_wait(b);
  assert_int_equal(done.value, expected.value);
  sl_background_free(b);
}

static void free_waits_for_the_last_job(void **state)
{
  (void)state;
  struct sum done = {.job = 7};
  struct sl_background *b = sl_background_create(add, &done);
  assert_non_null(b);
  sl_background_start(b);
  sl_background_free(b);
  assert_int_equal(done.value, 7);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jobs_are_done_in_order),
      cmocka_unit_test(free_waits_for_the_last_job),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
