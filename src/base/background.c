#include "base/background.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

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

static void *serve(void *argument)
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
  const bool started = pthread_create(&b->thread, NULL, serve, b) == 0;
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
