/* Independent jobs on several threads. Which thread does which job differs from run to run; results must not. */
#ifndef SL_CLI_PARALLEL_H
#define SL_CLI_PARALLEL_H

#include "base/types.h"

typedef void sl_job(void *context, size_t index);

/* Does jobs 0 to count-1 on up to `threads` threads, the caller's included. Returns when all are done. */
void sl_parallel(uint64_t threads, size_t count, sl_job *job, void *context);

/* Processors this process may use. */
uint64_t sl_processors(void);

#endif
