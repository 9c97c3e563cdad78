/* Simulations side by side, with a progress line: how many are done, the cycles simulated so far, which are running. */
#ifndef SL_CLI_JOBS_H
#define SL_CLI_JOBS_H

#include "base/error.h"
#include "base/types.h"

struct sl_jobs_display;

/* A job while it runs. */
struct sl_running {
  struct sl_jobs_display *display;
  char name[80];
  uint64_t cycles;
  bool runs;
};

struct sl_jobs {
  size_t count;
  /* Names job `index` for the progress line, and does it. */
  void (*name)(const void *context, size_t index, char *text, size_t size);
  void (*run)(void *context, size_t index, struct sl_running *running);
  void *context;
  bool quiet;
};

/* Does all jobs on up to so many threads; which thread does which differs from run to run. A signal ends those that
 * run, and no other is begun (cli/interruption.h). */
enum sl_status sl_jobs_run(const struct sl_jobs *jobs, uint64_t threads, struct sl_error *err);

/* For the progress of a device; the context is the job's struct sl_running. */
bool sl_running_progress(void *context, uint64_t cycles);

#endif
