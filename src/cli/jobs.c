#include "cli/jobs.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "observe/terminal.h"

struct sl_jobs_display {
  const struct sl_jobs *jobs;
  struct sl_running *running; /* state of each job */
  pthread_mutex_t mutex;      /* protects the following fields and the running jobs */
  struct sl_progress progress;
  struct sl_interruption interruption;
  size_t done;
};

static void draw(struct sl_jobs_display *display)
{
  char line[160];
  uint64_t cycles = 0;
  for (size_t i = 0; i < display->jobs->count; i++)
    cycles += display->running[i].cycles;
  int n = snprintf(line, sizeof line, "%zu of %zu done, %.1f M cycles; running", display->done, display->jobs->count,
                   1e-6 * (double)cycles);
  for (size_t i = 0; i < display->jobs->count; i++)
    if (display->running[i].runs && n > 0 && (size_t)n < sizeof line)
      n += snprintf(line + n, sizeof line - (size_t)n, " %s", display->running[i].name);
  sl_progress_draw(&display->progress, line);
}

int sl_console_tail_put(void *context, uint8_t byte)
{
  struct sl_console_tail *tail = context;
  if (tail->length == sizeof tail->text - 1) {
    tail->length /= 2;
    memmove(tail->text, tail->text + sizeof tail->text - 1 - tail->length, tail->length);
  }
  tail->text[tail->length++] = (char)byte;
  tail->text[tail->length] = '\0';
  return 0;
}

bool sl_running_progress(void *context, uint64_t cycles)
{
  struct sl_running *running = context;
  struct sl_jobs_display *display = running->display;
  pthread_mutex_lock(&display->mutex);
  running->cycles = cycles;
  if (sl_progress_due(&display->progress))
    draw(display);
  const bool interrupted = sl_interrupted(&display->interruption);
  pthread_mutex_unlock(&display->mutex);
  return !interrupted;
}

static void run_job(void *context, size_t index)
{
  struct sl_jobs_display *display = context;
  struct sl_running *running = &display->running[index];
  pthread_mutex_lock(&display->mutex);
  running->runs = !sl_interrupted(&display->interruption);
  pthread_mutex_unlock(&display->mutex);
  if (!running->runs)
    return;
  display->jobs->run(display->jobs->context, index, running);
  pthread_mutex_lock(&display->mutex);
  running->runs = false;
  display->done += !sl_interrupted(&display->interruption);
  pthread_mutex_unlock(&display->mutex);
}

enum sl_status sl_jobs_run(const struct sl_jobs *jobs, uint64_t threads, struct sl_error *err)
{
  struct sl_jobs_display display = {.jobs = jobs, .running = calloc(jobs->count, sizeof *display.running)};
  if (display.running == NULL)
    return sl_no_memory(err, jobs->count * sizeof *display.running);
  for (size_t i = 0; i < jobs->count; i++) {
    display.running[i].display = &display;
    jobs->name(jobs->context, i, display.running[i].name, sizeof display.running[i].name);
  }
  pthread_mutex_init(&display.mutex, NULL);
  sl_progress_init(&display.progress, stderr, jobs->quiet);
  sl_interruption_begin(&display.interruption);
  sl_parallel(threads, jobs->count, run_job, &display);
  sl_interruption_end(&display.interruption);
  sl_progress_hide(&display.progress);
  pthread_mutex_destroy(&display.mutex);
  free(display.running);
  return display.interruption.seen == 0 ? SL_OK
                                        : sl_interrupted_status(&display.interruption, err, "%zu of %zu runs had ended",
                                                                display.done, jobs->count);
}

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

void sl_interruption_begin(struct sl_interruption *interruption)
{
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  *interruption = (struct sl_interruption){.file = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC)};
  if (interruption->file >= 0)
    pthread_sigmask(SIG_BLOCK, &signals, &interruption->before);
}

void sl_interruption_end(struct sl_interruption *interruption)
{
  if (interruption->file < 0)
    return;
  pthread_sigmask(SIG_SETMASK, &interruption->before, NULL);
  close(interruption->file);
  interruption->file = -1;
}

bool sl_interrupted(struct sl_interruption *interruption)
{
  struct signalfd_siginfo info;
  if (interruption->seen == 0 && interruption->file >= 0 &&
      read(interruption->file, &info, sizeof info) == (ssize_t)sizeof info) {
    interruption->seen = (int)info.ssi_signo;
    pthread_sigmask(SIG_SETMASK, &interruption->before, NULL);
  }
  return interruption->seen != 0;
}

bool sl_interruption_wait(struct sl_interruption *interruption, int file)
{
  struct pollfd wanted[2] = {{.fd = file, .events = POLLIN}, {.fd = interruption->file, .events = POLLIN}};
  while (!sl_interrupted(interruption)) {
    const int ready = poll(wanted, 2, -1);
    if ((ready > 0 && wanted[0].revents != 0) || (ready < 0 && errno != EINTR))
      return true;
  }
  return false;
}

static const char *name_of(int number)
{
  switch (number) {
  case SIGINT: return "SIGINT";
  case SIGTERM: return "SIGTERM";
  default: return "SIGHUP";
  }
}

enum sl_status sl_interrupted_status(const struct sl_interruption *interruption, struct sl_error *err,
                                     const char *format, ...)
{
  va_list args;
  char text[sizeof err->text];
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return sl_fail(err, (enum sl_status)(SL_INTERRUPTED + interruption->seen), "%s: %.900s", name_of(interruption->seen),
                 text);
}
