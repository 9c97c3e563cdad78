/* Validation of a memory path's checkpoint state (base/validate.h): requests, DRAM, stack cache. */
#ifndef SL_MEM_PATH_VALIDATE_H
#define SL_MEM_PATH_VALIDATE_H

#include "base/validate.h"
#include "mem/dram.h"
#include "mem/request.h"
#include "mem/stack_cache.h"

/* Validates a request. One that responds must have lanes. */
bool sl_request_valid(const struct sl_request *r, struct sl_shape shape);

/* Validates DRAM in cycle now. latency and limit are the keys' values. All fields may be 0 before the first kernel. */
bool sl_dram_valid(const struct sl_dram *dram, unsigned latency, unsigned limit, int64_t now);

/* live: the machine's own stack cache. */
bool sl_stack_cache_valid(const struct sl_stack_cache *c, const struct sl_stack_cache *live);

#endif
