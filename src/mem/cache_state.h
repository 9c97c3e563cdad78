/* A cache's state in checkpoints. It also provides cross-checks with other units: the reads that the cache has accepted
 * and not answered, and the lines that it has requested. Each requested line must be in flight exactly once. */
#ifndef SL_MEM_CACHE_STATE_H
#define SL_MEM_CACHE_STATE_H

#include "base/state_archive.h"
#include "mem/cache.h"

void sl_cache_walk(struct sl_cache *c, struct sl_archive *archive);

/* Validates the entries of a restored cache: those of a bank belong to that bank. */
bool sl_cache_valid(const struct sl_cache *c);

/* Calls `see` for each unanswered read, flushes included. Returns false as soon as `see` does. */
bool sl_cache_each_read(const struct sl_cache *c, bool (*see)(void *context, uint32_t tag, uint32_t line),
                        void *context);

/* Maximum number of requests that wait for lines. The caller keeps a mark for each; it is set when its line has been
 * found in flight. */
size_t sl_cache_slots(const struct sl_cache *c);

/* Marks a line as in flight. Returns false if no request waits for it or it is marked already. */
bool sl_cache_expects(const struct sl_cache *c, uint8_t *mark, uint32_t line);

/* Marks the requested lines that are still in the cache's queues, and the lines that have arrived. */
bool sl_cache_expects_own(const struct sl_cache *c, uint8_t *mark);

/* Whether all lines that requests wait for are in flight. */
bool sl_cache_complete(const struct sl_cache *c, const uint8_t *mark);

#endif
