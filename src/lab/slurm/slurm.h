/* Runs a study on a cluster with Slurm. The nodes share a folder, the spool (lab/spool.h), and nothing else is assumed
 * of them.
 *
 * Runs are grouped into chunks of about a minute; a task of an array job executes one chunk with a worker
 * (lab/worker.h) and writes a spool file for each run. A run is done when its file is there: Slurm's queue only tells
 * which tasks may still write one. Runs of tasks that have ended without a result are submitted again, three times at
 * most. A chunk that meets its time limit is halved; a single run that meets it is recorded as "time-out". A run that
 * ends twice, after a node failed, must have equal counters (sl_record_add).
 *
 * A sweep that ends leaves its jobs. The folder SPOOL/slurm.N of a job has its number (`job`), the script (`task`), and
 * for each task K the runs (`K`), the limit in seconds (`K.limit`), the output (`K.log`), and when it is over its exit
 * status and host (`K.end`). The next sweep of the study finds them. */
#ifndef SL_LAB_SLURM_H
#define SL_LAB_SLURM_H

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

#endif
