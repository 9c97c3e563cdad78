/* Whether the state of a memory path can be what a file says (base/sound.h): requests, DRAM, stack cache. */
#ifndef SL_MEM_PATH_SOUND_H
#define SL_MEM_PATH_SOUND_H

#include "base/sound.h"
#include "mem/dram.h"
#include "mem/request.h"
#include "mem/stack_cache.h"

/* One that lanes wait to be served of has some. */
bool sl_request_sound(const struct sl_request *r, struct sl_shape shape);

/* In cycle now; latency and limit are keys, all of it may be 0 before the first kernel. */
bool sl_dram_sound(const struct sl_dram *dram, unsigned latency, unsigned limit, int64_t now);

/* live: that of the machine. */
bool sl_stack_cache_sound(const struct sl_stack_cache *c, const struct sl_stack_cache *live);

#endif
