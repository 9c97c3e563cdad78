/* Runs a study on this computer: worker processes execute runs, and this process records their results.
 *
 * Whatever ends it, all runs with a spool file are recorded, then or by the next sweep; only runs under way start
 * again. A worker that a signal ends records its run as a crash, and another worker goes on; after SIGKILL, which may
 * come from outside, the run first starts once more. Runs start as far as the memory
 * suffices (lab/memory_room.h). */
#ifndef SL_LAB_SWEEP_H
#define SL_LAB_SWEEP_H

#include "lab/spool.h"

enum { SL_SWEEP_NAME = 160, SL_SWEEP_JOBS_MOST = 1024 };

struct sl_sweep_state {
  uint64_t runs;                  /* of the study */
  uint64_t recorded;              /* that were recorded before */
  uint64_t elsewhere;             /* that other processes run */
  uint64_t done, failed, running; /* done includes failed */
  unsigned workers;
  double seconds;   /* since the start */
  double busy;      /* seconds of all runs done */
  double remaining; /* estimated seconds to go; below 0: unknown */
  double slowest;   /* seconds of the slowest run, and its description */
  char slowest_run[SL_SWEEP_NAME];
  char failure[SL_SWEEP_NAME + SL_MESSAGE + 4]; /* of the first run that has failed */
};

struct sl_sweep_options {
  const char *spool;
  const char *const *worker; /* the command of a worker, ending with NULL */
  unsigned jobs;
  uint64_t megabytes; /* of all runs together; 0: what the computer has */
  bool again;         /* also runs that have failed */
  bool any_build;     /* runs that have passed on another build of simtlab count as recorded */
  /* Called several times per second. False: end the sweep. */
  bool (*tick)(void *context, const struct sl_sweep_state *state);
  void *context;
};

/* State of a run of the plan. */
enum sl_status sl_sweep_find(const struct sl_plan *plan, struct sl_record *record, size_t run, bool any_build,
                             enum sl_recorded *state, struct sl_error *err);

/* What a sweep would do: runs that are new, and the seconds that runs of the same programs and pipelines took. */
struct sl_sweep_estimate {
  uint64_t runs, recorded, elsewhere, to_run;
  uint64_t timed; /* of those to run: with a recorded time */
  double seconds; /* of the timed ones, one after another */
};
enum sl_status sl_sweep_estimate(const struct sl_plan *plan, struct sl_record *record, bool again, bool any_build,
                                 struct sl_sweep_estimate *estimate, struct sl_error *err);

/* Mean seconds of the recorded runs of a run's program and machine, each pair asked for once; below 0: unknown. Free
 * `seconds`. */
struct sl_sweep_times {
  double *seconds; /* below -1: not asked for yet */
  uint64_t machines;
};
enum sl_status sl_sweep_times_open(struct sl_sweep_times *times, const struct sl_plan *plan, struct sl_error *err);
double sl_sweep_time(struct sl_sweep_times *times, const struct sl_plan *plan, struct sl_record *record, size_t run);

/* Counts a run that is recorded. Writes the spool file of a run that has no result of its own. */
void sl_sweep_note(struct sl_sweep_state *state, const struct sl_plan *plan, size_t run,
                   const struct sl_merged *merged);
enum sl_status sl_sweep_end_run(const struct sl_plan *plan, const char *spool, size_t run, const char *outcome,
                                int status, const char *message, struct sl_error *err);

/* Runs what is not recorded. SL_STOPPED: `tick` has ended it. */
enum sl_status sl_sweep(const struct sl_plan *plan, struct sl_record *record, const struct sl_sweep_options *options,
                        struct sl_sweep_state *state, struct sl_error *err);

#endif
