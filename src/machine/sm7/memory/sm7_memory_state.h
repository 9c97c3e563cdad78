/* Packets, caches, DRAM channels, slices and crossbars of SM7 machines in checkpoints: tables of their fields. Lists of
 * operations in flight are restored into new objects. */
#ifndef SL_MACHINE_SM7_MEMORY_STATE_H
#define SL_MACHINE_SM7_MEMORY_STATE_H

#include "base/schema.h"
#include "machine/sm7/memory/sm7_crossbar.h"
#include "machine/sm7/memory/sm7_dram.h"
#include "machine/sm7/memory/sm7_line_cache.h"
#include "machine/sm7/memory/sm7_slice.h"

/* Limits of the whole GPU. SL_SM7_LIMIT_WAYS: of the caches that follow, what their storage provides; PLACE: of the
 * packets that follow (enum sl_sm7_where). The owner is an SM, a slice, or the first slice of a DRAM channel. */
enum {
  SL_SM7_LIMIT_SMS = SL_LIMIT_OWN,
  SL_SM7_LIMIT_SLICES,
  SL_SM7_LIMIT_WAYS,
  SL_SM7_LIMIT_SCHEDULERS,
  SL_SM7_LIMIT_COLLECTORS,
  SL_SM7_LIMIT_L1_LINES,
  SL_SM7_LIMIT_PLACE,
  SL_SM7_LIMIT_HERE, /* of one struct, and the next ones */
  SL_SM7_LIMIT_END = SL_SM7_LIMIT_HERE + 2
};
_Static_assert((int)SL_SM7_LIMIT_END <= (int)SL_LIMITS, "more limits than an archive has");

/* Where a packet is: it tells what awaits it. IN_CACHE: in a line or texture cache, which accounts for it itself. */
enum sl_sm7_where { SL_SM7_IN_CACHE, SL_SM7_REQUEST, SL_SM7_BEFORE_L1, SL_SM7_IN_L1, SL_SM7_BEHIND_L2 };

/* Kinds of items in flight (sl_archive_give), beside those of enum sl_sm7_client: sectors of a line of a line cache. */
enum {
  SL_SM7_SECTORS = SL_SM7_TO_TEXTURES + 1, /* of a load of an SM */
  SL_SM7_ANSWERING,                        /* MSHRs of a line cache of an SM */
  SL_SM7_MISSED,                           /* accesses of a texture cache */
  SL_SM7_STORES,                           /* of a warp of an SM */
  SL_SM7_L1_FILLS,                         /* of a sector of an SM's L1 */
  SL_SM7_L2_FILLS,                         /* of a sector of a slice */
  SL_SM7_REQUESTS,                         /* of a channel, with bursts to be sent */
  SL_SM7_BURSTS,                           /* of a request of a channel, on the bus */
  SL_SM7_IN_QUEUES,                        /* requests of a channel in queues, and in service */
  SL_SM7_SERVED,
  SL_SM7_OP, /* of an SM */
  SL_SM7_LIST,
  SL_SM7_READS /* of a collector of an SM */
};

const struct sl_schema *sl_sm7_trip_schema(void), *sl_sm7_packet_schema(void), *sl_sm7_ring_schema(void),
    *sl_sm7_cache_schema(void), *sl_sm7_texture_cache_schema(void), *sl_sm7_dram_schema(void),
    *sl_sm7_slice_schema(void), *sl_sm7_crossbar_schema(void);

/* A cache of an SM for instructions or constants. */
void sl_sm7_line_cache_walk(struct sl_archive *archive, const char *name, struct sl_sm7_line_cache *cache, unsigned sm,
                            enum sl_sm7_client client);

/* The routing function is needed to recompute which output requests which input. */
void sl_sm7_crossbar_walk(struct sl_archive *archive, struct sl_sm7_crossbar *crossbar, sl_sm7_route *route,
                          const void *context);

#endif
