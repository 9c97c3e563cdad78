/* The thread pool: each run does the work of each member once, together or by the caller alone. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/thread_pool.h"

enum { MEMBERS = 3, RUNS = 300 };

struct work {
  pthread_t caller;
  unsigned done[MEMBERS], slow;
};

/* Member 1 is slow the first time, as if another program had its processor. */
static void work(void *context, unsigned member)
{
  struct work *w = context;
  if (member == 1 && w->done[1] == 0 && !pthread_equal(pthread_self(), w->caller)) {
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    w->slow++;
  }
  w->done[member]++;
}

static void each_run_does_the_work_of_each_member_once(void **state)
{
  struct work w = {.caller = pthread_self()};
  (void)state;
  struct sl_thread_pool *pool = sl_thread_pool_create(MEMBERS, NULL, work, &w);
  assert_non_null(pool);
  const unsigned members = sl_thread_pool_members(pool);
  for (unsigned run = 1; run <= RUNS; run++) {
    sl_thread_pool_run(pool);
    for (unsigned i = 0; i < members; i++)
      assert_int_equal(w.done[i], run);
  }
  assert_true(members == 1 || w.slow == 1);
  sl_thread_pool_free(pool);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_run_does_the_work_of_each_member_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
