/* A worker: reads descriptions of runs (lab/run_hash.h), one per line, executes those that the spool does not have, and
 * writes a spool file for each. A worker on another computer reads its lines from a file; the spool is all that it
 * shares. For each run that has a file it writes the line "done HASH"; if it cannot go on, "stop SENTENCE". For a run
 * of less than SL_QUICK_RUN seconds, a worker on this computer writes the line "data RESULT" (lab/result_line.h) and no
 * file: that is faster, and if the sweep is killed the run starts again. */
#ifndef SL_LAB_WORKER_H
#define SL_LAB_WORKER_H

#include <stdio.h>

#include "lab/plan.h"

#define SL_QUICK_RUN 0.02

/* `lasting`: as of sl_spool_write. */
enum sl_status sl_work(FILE *in, FILE *out, const char *spool, bool lasting, const struct sl_lab_build *build,
                       struct sl_error *err);

#endif
