/* Parallel simulations with a progress line: finished jobs, simulated cycles, names of the running jobs. */
#ifndef SL_CLI_JOBS_H
#define SL_CLI_JOBS_H

#include <signal.h>

#include "base/error.h"
#include "base/types.h"

struct sl_jobs_display;

/* A running job. */
struct sl_running {
  struct sl_jobs_display *display;
  char name[80];
  uint64_t cycles;
  bool runs;
};

struct sl_jobs {
  size_t count;
  /* Name job `index` for the progress line, and run it. */
  void (*name)(const void *context, size_t index, char *text, size_t size);
  void (*run)(void *context, size_t index, struct sl_running *running);
  void *context;
  bool quiet;
};

/* Runs all jobs on up to `threads` threads, in no fixed assignment. A signal ends the running jobs and starts no
 * others.
 */
enum sl_status sl_jobs_run(const struct sl_jobs *jobs, uint64_t threads, struct sl_error *err);

/* The end of a job's console output, for error messages; the context of a console. */
struct sl_console_tail {
  char text[2048];
  size_t length;
};
int sl_console_tail_put(void *tail, uint8_t byte);

/* Progress callback of a device; the context is the job's struct sl_running. */
bool sl_running_progress(void *context, uint64_t cycles);

/* Runs independent jobs on several threads. The assignment of jobs to threads varies; results must not depend on it. */

typedef void sl_job(void *context, size_t index);

/* Runs jobs 0 to count-1 on up to `threads` threads, including the caller's. Returns when all have finished. */
void sl_parallel(uint64_t threads, size_t count, sl_job *job, void *context);

/* Number of processors available to this process. */
uint64_t sl_processors(void);

/* Clean shutdown on SIGINT, SIGTERM and SIGHUP. Long commands poll for a signal, so no line or file is cut. After a
 * signal was seen, a second one ends the process immediately. */

struct sl_interruption {
  int file; /* signalfd; below 0: signals keep their default action */
  int seen; /* number of the signal; 0: none */
  sigset_t before;
};

/* Blocks the signals between begin and end; sl_interrupted() polls them. */
void sl_interruption_begin(struct sl_interruption *interruption);
void sl_interruption_end(struct sl_interruption *interruption);

/* Whether a signal has arrived. Only one thread may call it at a time. */
bool sl_interrupted(struct sl_interruption *interruption);

/* Waits until a file is readable. False: a signal arrived. */
bool sl_interruption_wait(struct sl_interruption *interruption, int file);

/* Exit status of an interrupted command: 128 plus the signal's number. The error is "SIGINT: " and the text. */
enum sl_status sl_interrupted_status(const struct sl_interruption *interruption, struct sl_error *err,
                                     const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
