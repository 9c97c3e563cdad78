/* The function of loads, stores, atomics and fences on the lanes of a warp, and the request they put on the memory
 * path. */
#ifndef SL_CORE_MEMORY_ACCESS_H
#define SL_CORE_MEMORY_ACCESS_H

#include "core/threads.h"
#include "mem/request.h"

/* Performs the access of ex->insn and describes it in *request. False: the access cannot be made; see the fault. */
bool sl_memory_access(struct sl_threads *t, unsigned warp, const struct sl_execution *ex, struct sl_request *request);

#endif
