/* Runs a study on a cluster with Slurm. The nodes share a folder, the spool (lab/sweep.h), and nothing else is assumed
 * of them.
 *
 * Runs are grouped into chunks of about a minute; a task of an array job executes one chunk with a worker
 * (lab/sweep.h) and writes a spool file for each run. A run is done when its file is there: Slurm's queue only tells
 * which tasks may still write one. Runs of tasks that have ended without a result are submitted again, three times at
 * most. A chunk that meets its time limit is halved; a single run that meets it is recorded as "time-out". A run that
 * ends twice, after a node failed, must have equal counters (sl_record_add_result).
 *
 * A sweep that ends leaves its jobs. The folder SPOOL/slurm.N of a job has its number (`job`), the script (`task`), and
 * for each task K the runs (`K`), the limit in seconds (`K.limit`), the output (`K.log`), and when it is over its exit
 * status and host (`K.end`). The next sweep of the study finds them. */
#ifndef SL_LAB_SLURM_H
#define SL_LAB_SLURM_H

#include <stdio.h>

#include "lab/sweep.h"

struct sl_slurm_options {
  const char *spool;     /* absolute path of a folder that all nodes have */
  const char *command;   /* file of the simulator; nodes get a copy in the spool */
  const char *partition; /* NULL: the cluster's default */
  double poll;           /* seconds between two looks at the spool and the queue */
  bool again;            /* also runs that have failed */
  bool any_build;        /* as in struct sl_sweep_options */
  /* Called several times per second. False: end the sweep. */
  bool (*tick)(void *context, const struct sl_sweep_state *state);
  /* Called with a sentence about the cluster, when no run has ended for sixty looks. */
  void (*warn)(void *context, const char *sentence);
  void *context;
};

/* Runs what is not recorded. SL_STOPPED: `tick` has ended it; the jobs go on. */
enum sl_status sl_slurm_sweep(const struct sl_plan *plan, struct sl_record *record,
                              const struct sl_slurm_options *options, struct sl_sweep_state *state,
                              struct sl_error *err);

/* Ends the jobs of earlier sweeps; *jobs: their number. */
enum sl_status sl_slurm_cancel(const char *spool, unsigned *jobs, struct sl_error *err);

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

/* An array job of Slurm and its folder in the spool (lab/slurm/slurm.h): written, submitted, asked for, ended. */

enum { SL_SLURM_JOBS = 256, SL_SLURM_TASKS = 1000, SL_SLURM_NAME = 64 }; /* jobs of a sweep, tasks of a job: at most */

struct sl_slurm_task {
  size_t *runs; /* numbers in the plan */
  size_t count;
  double limit; /* seconds */
  bool over;
  unsigned absent; /* looks at the queue without it */
};

struct sl_slurm_job {
  char folder[SL_SPOOL_PATH];
  char number[SL_SLURM_NAME];
  struct sl_slurm_task *tasks;
  size_t count;
};

void sl_slurm_job_free(struct sl_slurm_job *job);

/* Calls a function for each folder of a job in the spool. */
enum sl_status sl_slurm_each(const char *spool,
                             enum sl_status (*each)(void *context, const char *folder, struct sl_error *err),
                             void *context, struct sl_error *err);

/* Makes the folder of a new job in the spool; writes the files of a task, and the script. */
enum sl_status sl_slurm_make_folder(struct sl_slurm_job *job, const char *spool, struct sl_error *err);
enum sl_status sl_slurm_write_task(const struct sl_slurm_job *job, size_t task, json_t *const *runs,
                                   struct sl_error *err);
enum sl_status sl_slurm_write_script(const struct sl_slurm_job *job, const char *spool, const char *command,
                                     struct sl_error *err);

/* Submits it; `seconds`: limit of its longest task. SL_PAUSED: the cluster takes no job like this for now, because of a
 * limit of its queue or because it does not answer. SL_USAGE: it never will. The sentence is what sbatch has said. */
enum sl_status sl_slurm_submit(struct sl_slurm_job *job, const char *partition, double seconds, struct sl_error *err);

/* Finds the number of a job whose sweep was killed before it had noted it, by the name that the folder has; "": there
 * is no such job, or it has ended. SL_USAGE: Slurm does not answer. */
enum sl_status sl_slurm_find(struct sl_slurm_job *job, struct sl_error *err);

/* Opens a file of the job's folder for reading; NULL: there is none. `task`: SIZE_MAX for `job` and
 * `name`. */
FILE *sl_slurm_open(const char *folder, size_t task, const char *ending);

/* Marks the tasks that the queue has with absent = 0, and counts the absence of others. False: Slurm does not answer;
 * `text` has its words. */
bool sl_slurm_look(struct sl_slurm_job *job, char *text, size_t size);

/* The greatest number of tasks in a job that the cluster allows, at most SL_SLURM_TASKS. */
size_t sl_slurm_most_tasks(void);

/* What keeps nodes from running jobs, with the remedy; an empty text: nothing does. */
void sl_slurm_complaint(char *text, size_t size);

/* Ends the job of a folder; returns false if it has none. Removes the folder. */
bool sl_slurm_cancel_job(const char *folder);
void sl_slurm_remove(const char *folder);

#endif
