#include "base/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/types.h"

/* Iterations of spinning and yielding before a member sleeps: some ten and some hundred microseconds. Unsuccessful
 * spinning takes the processor from the members that it waits for. So the next spin is half as long. */
enum { SPINS_MOST = 1024, SPINS_LEAST = 8, YIELDS = 256 };

/* A counter that members raise and wait for. */
struct gate {
  _Alignas(SL_CACHE_LINE) atomic_uint value;
  atomic_uint sleepers;
  pthread_mutex_t mutex; /* for sleeping */
  pthread_cond_t changed;
};

struct member {
  struct sl_crew *crew;
  unsigned number;
  pthread_t thread;
};

struct sl_crew {
  struct gate begin; /* number of started quanta */
  struct gate end;   /* finished quanta, summed over all members but the caller */
  _Alignas(SL_CACHE_LINE) sl_crew_work *enter, *work;
  void *context;
  bool stop;
  unsigned members;
  unsigned spins; /* of the caller */
  struct member *member;
};

static bool gate_init(struct gate *g)
{
  atomic_init(&g->value, 0);
  atomic_init(&g->sleepers, 0);
  if (pthread_mutex_init(&g->mutex, NULL) != 0)
    return false;
  if (pthread_cond_init(&g->changed, NULL) == 0)
    return true;
  pthread_mutex_destroy(&g->mutex);
  return false;
}

static void gate_free(struct gate *g)
{
  pthread_cond_destroy(&g->changed);
  pthread_mutex_destroy(&g->mutex);
}

/* Sequentially consistent order: either the sleeper is counted here, or it sees the new value before it sleeps. */
static void gate_open(struct gate *g)
{
  atomic_fetch_add(&g->value, 1);
  if (atomic_load(&g->sleepers) == 0)
    return;
  pthread_mutex_lock(&g->mutex);
  pthread_cond_broadcast(&g->changed);
  pthread_mutex_unlock(&g->mutex);
}

static void gate_sleep(struct gate *g, unsigned wanted)
{
  pthread_mutex_lock(&g->mutex);
  atomic_fetch_add(&g->sleepers, 1);
  while (atomic_load(&g->value) != wanted)
    pthread_cond_wait(&g->changed, &g->mutex);
  atomic_fetch_sub(&g->sleepers, 1);
  pthread_mutex_unlock(&g->mutex);
}

static void relax(void)
{
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

static bool has_come(struct gate *g, unsigned wanted)
{
  return atomic_load_explicit(&g->value, memory_order_acquire) == wanted;
}

static void gate_wait(struct gate *g, unsigned wanted, unsigned *spins)
{
  for (unsigned i = 0; i < *spins; i++) {
    if (has_come(g, wanted)) {
      *spins = 2 * *spins < SPINS_MOST ? 2 * *spins : SPINS_MOST;
      return;
    }
    relax();
  }
  *spins = *spins / 2 > SPINS_LEAST ? *spins / 2 : SPINS_LEAST;
  for (unsigned i = 0; i < YIELDS; i++) {
    if (has_come(g, wanted))
      return;
    sched_yield();
  }
  gate_sleep(g, wanted);
}

static void *serve(void *argument)
{
  const struct member *member = argument;
  struct sl_crew *crew = member->crew;
  unsigned spins = SPINS_MOST;
  if (crew->enter != NULL)
    crew->enter(crew->context, member->number);
  for (unsigned round = 1;; round++) {
    gate_wait(&crew->begin, round, &spins);
    if (crew->stop)
      return NULL;
    crew->work(crew->context, member->number);
    gate_open(&crew->end);
  }
}

static bool init(struct sl_crew *crew, unsigned members)
{
  crew->stop = false;
  crew->members = 1;
  crew->spins = SPINS_MOST;
  crew->member = calloc(members, sizeof *crew->member);
  if (crew->member == NULL || !gate_init(&crew->begin)) {
    free(crew->member);
    return false;
  }
  if (gate_init(&crew->end))
    return true;
  gate_free(&crew->begin);
  free(crew->member);
  return false;
}

struct sl_crew *sl_crew_create(unsigned members, sl_crew_work *enter, sl_crew_work *work, void *context)
{
  struct sl_crew *crew = aligned_alloc(SL_CACHE_LINE, sizeof *crew);
  if (crew == NULL || !init(crew, members)) {
    free(crew);
    return NULL;
  }
  crew->enter = enter;
  crew->work = work;
  crew->context = context;
  for (; crew->members < members; crew->members++) {
    struct member *m = &crew->member[crew->members];
    *m = (struct member){.crew = crew, .number = crew->members};
    if (pthread_create(&m->thread, NULL, serve, m) != 0)
      break;
  }
  return crew;
}

void sl_crew_free(struct sl_crew *crew)
{
  if (crew == NULL)
    return;
  crew->stop = true;
  gate_open(&crew->begin);
  for (unsigned i = 1; i < crew->members; i++)
    pthread_join(crew->member[i].thread, NULL);
  gate_free(&crew->begin);
  gate_free(&crew->end);
  free(crew->member);
  free(crew);
}

unsigned sl_crew_members(const struct sl_crew *crew)
{
  return crew->members;
}

void sl_crew_run(struct sl_crew *crew)
{
  const unsigned others = crew->members - 1, done = atomic_load_explicit(&crew->end.value, memory_order_relaxed);
  if (others > 0)
    gate_open(&crew->begin);
  crew->work(crew->context, 0);
  if (others > 0)
    gate_wait(&crew->end, done + others, &crew->spins);
}
