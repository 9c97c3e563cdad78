/* Checkpoints of the caches of SM7 machines: L1 and L2, line caches, and the texture cache. They are restored into new
 * caches; links are rebuilt. */
#ifndef SL_MACHINE_SM7_CACHE_ARCHIVE_H
#define SL_MACHINE_SM7_CACHE_ARCHIVE_H

#include "machine/sm7/memory/sm7_cache.h"
#include "machine/sm7/memory/sm7_line_cache.h"
#include "machine/sm7/memory/sm7_packet_archive.h"
#include "machine/sm7/memory/sm7_texture_cache.h"

/* `ways`: the number of ways that it was created with. */
void sl_sm7_cache_archive(struct sl_sm7_archive *archive, struct sl_sm7_cache *cache, uint32_t ways);

/* Calls `see` for each packet that waits for its sector, until `see` returns false. */
bool sl_sm7_cache_each(const struct sl_sm7_cache *cache, bool (*see)(void *context, const struct sl_sm7_packet *packet),
                       void *context);

void sl_sm7_line_cache_archive(struct sl_sm7_archive *archive, struct sl_sm7_line_cache *cache);
void sl_sm7_texture_cache_archive(struct sl_sm7_archive *archive, struct sl_sm7_texture_cache *cache);

#endif
