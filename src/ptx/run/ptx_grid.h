/* A whole grid without time: blocks one after another, the warps of a block in turn, each to its next barrier or its
 * end, or to the end of its turn, so that warps may wait for each other's stores. */
#ifndef SL_PTX_RUN_PTX_GRID_H
#define SL_PTX_RUN_PTX_GRID_H

#include "ptx/run/ptx_execute.h"

struct sl_ptx_counts {
  uint64_t thread_insns; /* lanes that execute an instruction and whose guard holds */
  uint64_t warp_insns;
  uint64_t blocks;
  uint64_t cycles; /* of a timed run, 0 otherwise */
};

/* What ends a grid before its end: SL_LIMIT, SL_STOPPED. */
struct sl_ptx_bounds {
  uint64_t limit;                 /* without time of warp instructions, with time of cycles; 0: none */
  bool (*goes_on)(void *context); /* asked now and then; NULL: it does */
  void *context;
  /* Told of each instruction that a warp has executed, and of each block before its first; NULL: not wanted. */
  void (*executed)(void *context, const struct sl_ptx_warp *warp, const struct sl_ptx_effect *effect);
  void (*begun)(void *context, const struct sl_ptx_block *block);
};

/* Adds to *counts, also when it fails. */
enum sl_status sl_ptx_grid_run(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                               struct sl_ptx_counts *counts, struct sl_error *err);

#endif
