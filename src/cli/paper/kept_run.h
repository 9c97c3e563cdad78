/* Finished runs that `paper` keeps in its folder (observe/saved_run.h). */
#ifndef SL_CLI_PAPER_KEPT_RUN_H
#define SL_CLI_PAPER_KEPT_RUN_H

#include "observe/saved_run.h"

/* Reads the kept run of a key. Returns false if there is none or if the file was modified, so the caller simulates the
 * run again; a modified file is reported on standard error. */
bool sl_kept_run_read(struct sl_saved_run *run, const struct sl_run_key *key, const char *path);

#endif
