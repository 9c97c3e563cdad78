#include "base/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "base/types.h"

/* Iterations of spinning and yielding before a member sleeps: some ten and some hundred microseconds. Unsuccessful
 * spinning takes the processor from the members that it waits for. So the next spin is half as long. */
enum { SPINS_MOST = 1024, SPINS_LEAST = 8, YIELDS = 256 };

/* If the caller waits so long, other programs have the processors of the members. It then does the work of all members
 * for some quanta before it tries again, and for twice as many after each trial that fails. */
enum { LONG_NS = 1000000, ALONE_LEAST = 64, ALONE_MOST = 4096 };

/* A counter that members raise and wait for. */
struct gate {
  _Alignas(SL_CACHE_LINE) atomic_uint value;
  atomic_uint sleepers;
  pthread_mutex_t mutex; /* for sleeping */
  pthread_cond_t changed;
};

struct member {
  struct sl_thread_pool *pool;
  unsigned number;
  pthread_t thread;
};

struct sl_thread_pool {
  struct gate begin; /* number of started quanta */
  struct gate end;   /* finished quanta, summed over all members but the caller */
  _Alignas(SL_CACHE_LINE) sl_thread_pool_work *enter, *work;
  void *context;
  bool stop;
  unsigned members;
  unsigned spins; /* of the caller */
  unsigned alone; /* quanta for which the caller does all work */
  unsigned next;  /* after the next long wait */
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

static int64_t nanoseconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Returns whether the value came by spinning. */
static bool gate_spin(struct gate *g, unsigned wanted, unsigned *spins)
{
  for (unsigned i = 0; i < *spins; i++) {
    if (has_come(g, wanted)) {
      *spins = 2 * *spins < SPINS_MOST ? 2 * *spins : SPINS_MOST;
      return true;
    }
    relax();
  }
  *spins = *spins / 2 > SPINS_LEAST ? *spins / 2 : SPINS_LEAST;
  return false;
}

/* Waits by yielding, then asleep. Returns the nanoseconds. */
static int64_t gate_yield(struct gate *g, unsigned wanted)
{
  const int64_t begin = nanoseconds();
  for (unsigned i = 0; i < YIELDS; i++) {
    if (has_come(g, wanted))
      return nanoseconds() - begin;
    sched_yield();
  }
  gate_sleep(g, wanted);
  return nanoseconds() - begin;
}

static void *serve(void *argument)
{
  const struct member *member = argument;
  struct sl_thread_pool *pool = member->pool;
  unsigned spins = SPINS_MOST;
  if (pool->enter != NULL)
    pool->enter(pool->context, member->number);
  for (unsigned round = 1;; round++) {
    if (!gate_spin(&pool->begin, round, &spins))
      gate_yield(&pool->begin, round);
    if (pool->stop)
      return NULL;
    pool->work(pool->context, member->number);
    gate_open(&pool->end);
  }
}

static bool init(struct sl_thread_pool *pool, unsigned members)
{
  pool->stop = false;
  pool->members = 1;
  pool->spins = SPINS_MOST;
  pool->alone = 0;
  pool->next = ALONE_LEAST;
  pool->member = calloc(members, sizeof *pool->member);
  if (pool->member == NULL || !gate_init(&pool->begin)) {
    free(pool->member);
    return false;
  }
  if (gate_init(&pool->end))
    return true;
  gate_free(&pool->begin);
  free(pool->member);
  return false;
}

struct sl_thread_pool *sl_thread_pool_create(unsigned members, sl_thread_pool_work *enter, sl_thread_pool_work *work,
                                             void *context)
{
  struct sl_thread_pool *pool = aligned_alloc(SL_CACHE_LINE, sizeof *pool);
  if (pool == NULL || !init(pool, members)) {
    free(pool);
    return NULL;
  }
  pool->enter = enter;
  pool->work = work;
  pool->context = context;
  for (; pool->members < members; pool->members++) {
    struct member *m = &pool->member[pool->members];
    *m = (struct member){.pool = pool, .number = pool->members};
    if (pthread_create(&m->thread, NULL, serve, m) != 0)
      break;
  }
  return pool;
}

void sl_thread_pool_free(struct sl_thread_pool *pool)
{
  if (pool == NULL)
    return;
  pool->stop = true;
  gate_open(&pool->begin);
  for (unsigned i = 1; i < pool->members; i++)
    pthread_join(pool->member[i].thread, NULL);
  gate_free(&pool->begin);
  gate_free(&pool->end);
  free(pool->member);
  free(pool);
}

unsigned sl_thread_pool_members(const struct sl_thread_pool *pool)
{
  return pool->members;
}

/* The caller's part of a quantum, and the wait for the others. */
static void run_together(struct sl_thread_pool *pool)
{
  const unsigned others = pool->members - 1, done = atomic_load_explicit(&pool->end.value, memory_order_relaxed);
  gate_open(&pool->begin);
  pool->work(pool->context, 0);
  if (gate_spin(&pool->end, done + others, &pool->spins)) {
    pool->next = ALONE_LEAST;
    return;
  }
  const bool is_long = gate_yield(&pool->end, done + others) >= LONG_NS;
  pool->alone = is_long ? pool->next : 0;
  pool->next = !is_long ? ALONE_LEAST : 2 * pool->next < ALONE_MOST ? 2 * pool->next : ALONE_MOST;
}

void sl_thread_pool_run(struct sl_thread_pool *pool)
{
  if (pool->members > 1 && pool->alone == 0) {
    run_together(pool);
    return;
  }
  pool->alone -= pool->alone > 0;
  for (unsigned i = 0; i < pool->members; i++)
    pool->work(pool->context, i);
}

struct sl_background {
  void (*work)(void *context);
  void *context;
  pthread_t thread;
  bool threaded; /* the host has started the thread */
  bool busy;     /* a job is started and not done */
  bool stop;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
};

static void *do_jobs(void *argument)
{
  struct sl_background *b = argument;
  pthread_mutex_lock(&b->mutex);
  for (;;) {
    while (!b->busy && !b->stop)
      pthread_cond_wait(&b->changed, &b->mutex);
    if (!b->busy)
      break;
    pthread_mutex_unlock(&b->mutex);
    b->work(b->context);
    pthread_mutex_lock(&b->mutex);
    b->busy = false;
    pthread_cond_broadcast(&b->changed);
  }
  pthread_mutex_unlock(&b->mutex);
  return NULL;
}

/* Starts the thread without any signal: one that the owner polls for would end the process if the thread took it. */
static bool start_thread(struct sl_background *b)
{
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
    return false;
  const bool started = pthread_create(&b->thread, NULL, do_jobs, b) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

struct sl_background *sl_background_create(void (*work)(void *context), void *context)
{
  struct sl_background *b = calloc(1, sizeof *b);
  if (b == NULL)
    return NULL;
  b->work = work;
  b->context = context;
  if (pthread_mutex_init(&b->mutex, NULL) != 0) {
    free(b);
    return NULL;
  }
  if (pthread_cond_init(&b->changed, NULL) != 0) {
    pthread_mutex_destroy(&b->mutex);
    free(b);
    return NULL;
  }
  b->threaded = start_thread(b);
  return b;
}

void sl_background_wait(struct sl_background *b)
{
  pthread_mutex_lock(&b->mutex);
  while (b->busy)
    pthread_cond_wait(&b->changed, &b->mutex);
  pthread_mutex_unlock(&b->mutex);
}

void sl_background_start(struct sl_background *b)
{
  if (!b->threaded) {
    b->work(b->context);
    return;
  }
  pthread_mutex_lock(&b->mutex);
  while (b->busy)
    pthread_cond_wait(&b->changed, &b->mutex);
  b->busy = true;
  pthread_cond_broadcast(&b->changed);
  pthread_mutex_unlock(&b->mutex);
}

void sl_background_free(struct sl_background *b)
{
  if (b == NULL)
    return;
  pthread_mutex_lock(&b->mutex);
  b->stop = true;
  pthread_cond_broadcast(&b->changed);
  pthread_mutex_unlock(&b->mutex);
  if (b->threaded)
    pthread_join(b->thread, NULL);
  pthread_cond_destroy(&b->changed);
  pthread_mutex_destroy(&b->mutex);
  free(b);
}
