/* Whether the state of a cache can be what a file says (base/sound.h), and what of it others know too: the reads it has
 * taken and not answered, and the lines it has asked for, each of which must be on its way once. */
#ifndef SL_MEM_CACHE_SOUND_H
#define SL_MEM_CACHE_SOUND_H

#include "mem/cache.h"

/* Counts, indices, and that what waits for a bank is of this bank. */
bool sl_cache_sound(const struct sl_cache *c);

/* Calls see with every read that is to be answered, that of a flush included; false as soon as see does. */
bool sl_cache_each_read(const struct sl_cache *c, bool (*see)(void *context, uint32_t tag, uint32_t line),
                        void *context);

/* Requests that wait for lines, at most; a mark for each says that its line is known to be on its way. */
size_t sl_cache_slots(const struct sl_cache *c);

/* A line is on its way to the cache. False: nobody waits for it, or it is already. */
bool sl_cache_expects(const struct sl_cache *c, uint8_t *mark, uint32_t line);

/* Lines asked for that are still in the cache, and those that have arrived. */
bool sl_cache_expects_own(const struct sl_cache *c, uint8_t *mark);

/* Whether all lines that requests wait for are on their way. */
bool sl_cache_complete(const struct sl_cache *c, const uint8_t *mark);

#endif
