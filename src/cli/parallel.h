/* Runs independent jobs on several threads. The assignment of jobs to threads varies; results must not depend on it. */
#ifndef SL_CLI_PARALLEL_H
#define SL_CLI_PARALLEL_H

#include "base/types.h"

typedef void sl_job(void *context, size_t index);

/* Runs jobs 0 to count-1 on up to `threads` threads, including the caller's. Returns when all have finished. */
void sl_parallel(uint64_t threads, size_t count, sl_job *job, void *context);

/* Number of processors available to this process. */
uint64_t sl_processors(void);

#endif
