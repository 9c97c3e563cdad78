/* Runs a grid without time and tells of each instruction of a warp with what it has read: for those who count what a
 * machine could have spared, or say beforehand what one will. */
#ifndef SL_PTX_ORACLE_PTX_WATCH_H
#define SL_PTX_ORACLE_PTX_WATCH_H

#include "ptx/oracle/ptx_sight.h"
#include "ptx/run/ptx_grid.h"

struct sl_ptx_seen {
  const struct sl_ptx_warp *warp;
  const struct sl_ptx_effect *effect;
  const struct sl_ptx_sight *before; /* it */
  uint64_t occurrence;               /* a hash of its PC, and of how often the warp has been there */
};

/* False: no memory. */
struct sl_ptx_watcher {
  bool (*begun)(void *context, const struct sl_ptx_block *block); /* before each block; may be NULL */
  bool (*seen)(void *context, const struct sl_ptx_seen *seen);
  void *context;
};

/* As sl_ptx_grid_run, whose bounds are kept; their listeners are told first. */
enum sl_status sl_ptx_watch(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                            const struct sl_ptx_watcher *watcher, struct sl_ptx_counts *counts, struct sl_error *err);

#endif
