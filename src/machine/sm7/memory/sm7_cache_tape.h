/* The caches of SM7 machines in checkpoints: L1 and L2, caches of lines, the cache of textures. They are read into ones
 * that have just been made; what is linked there is linked anew. */
#ifndef SL_MACHINE_SM7_CACHE_TAPE_H
#define SL_MACHINE_SM7_CACHE_TAPE_H

#include "machine/sm7/memory/sm7_cache.h"
#include "machine/sm7/memory/sm7_line_cache.h"
#include "machine/sm7/memory/sm7_packet_tape.h"
#include "machine/sm7/memory/sm7_texture_cache.h"

/* `ways` is what it was made with. */
void sl_sm7_cache_tape(struct sl_sm7_tape *tape, struct sl_sm7_cache *cache, uint32_t ways);

/* `see` is told of the packets that wait for their sector, until it says false. */
bool sl_sm7_cache_each(const struct sl_sm7_cache *cache, bool (*see)(void *context, const struct sl_sm7_packet *packet),
                       void *context);

void sl_sm7_line_cache_tape(struct sl_sm7_tape *tape, struct sl_sm7_line_cache *cache);
void sl_sm7_texture_cache_tape(struct sl_sm7_tape *tape, struct sl_sm7_texture_cache *cache);

#endif
