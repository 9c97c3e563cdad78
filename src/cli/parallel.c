#include "cli/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

struct crew {
  atomic_size_t next;
  size_t count;
  sl_job *job;
  void *context;
};

static void *work(void *argument)
{
  struct crew *crew = argument;
  for (size_t i; (i = atomic_fetch_add(&crew->next, 1)) < crew->count;)
    crew->job(crew->context, i);
  return NULL;
}

void sl_parallel(uint64_t threads, size_t count, sl_job *job, void *context)
{
  struct crew crew = {.count = count, .job = job, .context = context};
  pthread_t helpers[MOST_THREADS];
  size_t wanted = threads < count ? (size_t)threads : count, started = 0;
  while (started + 1 < wanted && started < MOST_THREADS && pthread_create(&helpers[started], NULL, work, &crew) == 0)
    started++;
  work(&crew);
  while (started > 0)
    pthread_join(helpers[--started], NULL);
}

uint64_t sl_processors(void)
{
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (uint64_t)count : 1;
}
