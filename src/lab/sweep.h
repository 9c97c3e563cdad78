/* Runs a study on this computer: worker processes execute runs, and this process records their results.
 *
 * Whatever ends it, all runs with a spool file are recorded, then or by the next sweep; only runs under way start
 * again. A worker that a signal ends records its run as a crash, and another worker goes on; after SIGKILL, which may
 * come from outside, the run first starts once more. Runs start as far as the memory
 * suffices (lab/sweep.h). */
#ifndef SL_LAB_SWEEP_H
#define SL_LAB_SWEEP_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "lab/plan.h"
#include "lab/process.h"
#include "lab/record.h"
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

/* Admits runs by memory: a run starts if what the computer has left, less what the runs under way will still take, is
 * as much as the run needs. What a run needs is what runs of its program have been measured to take at most in this
 * sweep, on its machine or, before one has ended there, on others. */

/* All in megabytes. */
struct sl_memory_room {
  const struct sl_plan *plan;
  struct sl_record *record;
  uint64_t limit; /* of all runs together; 0: none */
  uint64_t *peak; /* by program and machine; 0: unknown */
  double looked;  /* when the computer was last asked */
  bool *asked;    /* the record, by program and machine */
  int64_t left;   /* for runs that start */
};

enum sl_status sl_memory_room_open(struct sl_memory_room *room, const struct sl_plan *plan, struct sl_record *record,
                                   uint64_t limit, struct sl_error *err);
void sl_memory_room_close(struct sl_memory_room *room);

/* Asks the computer, twice per second. */
void sl_memory_room_look(struct sl_memory_room *room, const struct sl_worker_process *workers, unsigned count);

/* Reserves memory for a run of a worker. False: there is too little; `alone`, without other runs, there is always
 * enough. */
bool sl_memory_room_take(struct sl_memory_room *room, struct sl_worker_process *worker, size_t run, bool alone);

/* A run has ended that took so much at most; 0: it was not measured, because it was too short to take much. */
void sl_memory_room_learn(struct sl_memory_room *room, size_t run, uint64_t megabytes);

/* A worker without runs gives back its reservation. */
void sl_memory_room_give(struct sl_memory_room *room, struct sl_worker_process *worker);

/* Of this process and those that it has started, since the last call: the most that it has taken. */
uint64_t sl_memory_taken(void);

/* A worker: reads descriptions of runs (lab/run_hash.h), one per line, executes those that the spool does not have, and
 * writes a spool file for each. A worker on another computer reads its lines from a file; the spool is all that it
 * shares. For each run that has a file it writes the line "done HASH"; if it cannot go on, "stop SENTENCE". For a run
 * of less than SL_QUICK_RUN seconds, a worker on this computer writes the line "data RESULT" and no
 * file: that is faster, and if the sweep is killed the run starts again. */

#define SL_QUICK_RUN 0.02

/* `lasting`: as of sl_spool_write. */
enum sl_status sl_work(FILE *in, FILE *out, const char *spool, bool lasting, const struct sl_lab_build *build,
                       struct sl_error *err);

/* Results on the pipe from a worker: KEYS <tab> NAMES <tab> RESULT, the keys of the machine as JSON, the names of the
 * counters with blanks, and the rest of the result. The sweep reads keys and names only where they are new. */

/* The names of the counters of the last result, as it had them and as a list. */
struct sl_counter_names {
  char *text;
  json_t *list;
};

/* Reads a line; the keys remain a text. NULL: it is not whole. */
json_t *sl_result_take(const char *line, struct sl_counter_names *names);
void sl_counter_names_free(struct sl_counter_names *names);

#endif
