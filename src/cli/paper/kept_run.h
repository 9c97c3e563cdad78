/* A finished run that `paper` has kept (observe/saved_run.h), to go on with. */
#ifndef SL_CLI_PAPER_KEPT_RUN_H
#define SL_CLI_PAPER_KEPT_RUN_H

#include "observe/saved_run.h"

/* Reads a run of that key. Of a file that someone has changed it says so on standard error; then, and when there is
 * none, it is false and the run is to be made again. */
bool sl_kept_run_read(struct sl_saved_run *run, const struct sl_run_key *key, const char *path);

#endif
