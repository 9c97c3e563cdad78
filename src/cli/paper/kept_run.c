#include "cli/paper/kept_run.h"

#include <stdio.h>

bool sl_kept_run_read(struct sl_saved_run *run, const struct sl_run_key *key, const char *path)
{
  const bool read = sl_saved_run_read(run, key, path);
  if (run->changed)
    fprintf(stderr,
            "simtlab: %s: the record has been changed since it was written (its checksum is another); the run "
            "is made again\n",
            path);
  return read;
}
