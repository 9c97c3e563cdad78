#include "cli/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

struct pool {
  atomic_size_t next;
  size_t count;
  sl_job *job;
  void *context;
};

static void *work(void *argument)
{
  struct pool *pool = argument;
  for (size_t i; (i = atomic_fetch_add(&pool->next, 1)) < pool->count;)
    pool->job(pool->context, i);
  return NULL;
}

void sl_parallel(uint64_t threads, size_t count, sl_job *job, void *context)
{
  struct pool pool = {.count = count, .job = job, .context = context};
  pthread_t helpers[MOST_THREADS];
  size_t wanted = threads < count ? (size_t)threads : count, started = 0;
  while (started + 1 < wanted && started < MOST_THREADS && pthread_create(&helpers[started], NULL, work, &pool) == 0)
    started++;
  work(&pool);
  while (started > 0)
    pthread_join(helpers[--started], NULL);
}

uint64_t sl_processors(void)
{
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (uint64_t)count : 1;
}
