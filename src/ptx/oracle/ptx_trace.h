/* Runs a grid without timing and reports each warp instruction with its operands. Used to count what a machine could
 * eliminate, and to classify instructions in advance. */
#ifndef SL_PTX_ORACLE_PTX_TRACE_H
#define SL_PTX_ORACLE_PTX_TRACE_H

#include "ptx/oracle/ptx_redundancy.h"
#include "ptx/run/ptx_grid.h"

struct sl_ptx_seen {
  const struct sl_ptx_warp *warp;
  const struct sl_ptx_effect *effect;
  const struct sl_ptx_redundancy *before; /* the executed instruction */
  uint64_t occurrence;                    /* a hash of its PC and of the warp's number of visits to it */
};

/* False: out of memory. */
struct sl_ptx_tracer {
  bool (*begun)(void *context, const struct sl_ptx_block *block); /* before each block; may be NULL */
  bool (*seen)(void *context, const struct sl_ptx_seen *seen);
  void *context;
};

/* As sl_ptx_grid_run with the same bounds; their observers are notified first. */
enum sl_status sl_ptx_trace(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                            const struct sl_ptx_tracer *watcher, struct sl_ptx_counts *counts, struct sl_error *err);

#endif
