/* A worker: reads descriptions of runs (lab/run_hash.h), one per line, executes those that the spool does not have, and
 * writes a spool file for each. A worker on another computer reads its lines from a file; the spool is all that it
 * shares. For each run that has a file it writes the line "done HASH"; if it cannot go on, "stop SENTENCE". For a run
 * of less than SL_QUICK_RUN seconds, a worker on this computer writes the line "data RESULT" and no
 * file: that is faster, and if the sweep is killed the run starts again. */
#ifndef SL_LAB_WORKER_H
#define SL_LAB_WORKER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "lab/plan.h"

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
