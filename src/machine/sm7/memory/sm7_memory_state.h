/* Packets, caches, DRAM channels, slices and crossbars of SM7 machines in checkpoints: tables of their fields. Lists of
 * operations in flight are restored into new objects. */
#ifndef SL_MACHINE_SM7_MEMORY_STATE_H
#define SL_MACHINE_SM7_MEMORY_STATE_H

#include "base/state_archive.h"
#include "machine/sm7/memory/sm7_crossbar.h"
#include "machine/sm7/memory/sm7_dram.h"
#include "machine/sm7/memory/sm7_line_cache.h"
#include "machine/sm7/memory/sm7_slice.h"

/* A packet's name tells its place: "item" of a ring, "packet" of a DRAM request, "waiting" in an MSHR, "p" and
 * "request" in a line or texture cache. */

/* Limits of the whole GPU. SL_SM7_LIMIT_WAYS: of the caches that follow, what their storage provides. */
enum {
  SL_SM7_LIMIT_SMS = SL_LIMIT_OWN,
  SL_SM7_LIMIT_SLICES,
  SL_SM7_LIMIT_WAYS,
  SL_SM7_LIMIT_SCHEDULERS,
  SL_SM7_LIMIT_COLLECTORS,
  SL_SM7_LIMIT_HERE /* of one struct */
};

const struct sl_schema *sl_sm7_trip_schema(void), *sl_sm7_packet_schema(void), *sl_sm7_ring_schema(void),
    *sl_sm7_cache_schema(void), *sl_sm7_line_cache_schema(void), *sl_sm7_texture_cache_schema(void),
    *sl_sm7_dram_schema(void), *sl_sm7_slice_schema(void), *sl_sm7_crossbar_schema(void);

/* The routing function is needed to recompute which output requests which input. */
void sl_sm7_crossbar_walk(struct sl_archive *archive, struct sl_sm7_crossbar *crossbar, sl_sm7_route *route,
                          const void *context);

#endif
