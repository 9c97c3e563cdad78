/* A whole grid without time: blocks one after another, the warps of a block in turn, each to its next barrier or its
 * end, or to the end of its turn, so that warps may wait for each other's stores. */
#ifndef SL_PTX_RUN_PTX_GRID_H
#define SL_PTX_RUN_PTX_GRID_H

#include "base/state_tape.h"
#include "ptx/run/ptx_execute.h"

struct sl_ptx_counts {
  uint64_t thread_insns; /* lanes that execute an instruction and whose guard holds */
  uint64_t warp_insns;
  uint64_t blocks;
  uint64_t cycles; /* of a timed run, 0 otherwise */
};

/* A launch that is under way, to be put on a tape. */
struct sl_ptx_under_way {
  void (*tape)(void *launch, struct sl_tape *tape);
  void *launch;
};

/* What ends a grid before its end: SL_LIMIT, SL_STOPPED. */
struct sl_ptx_bounds {
  uint64_t limit;                 /* without time of warp instructions, with time of cycles; 0: none */
  bool (*goes_on)(void *context); /* asked now and then; NULL: it does */
  /* Told at the begin of a launch, and when what is limited has come to the number that it has put into *next last,
   * without time soon afterwards. False: the launch is stopped. NULL: not wanted. */
  bool (*reached)(void *context, const struct sl_ptx_under_way *launch, uint64_t now, uint64_t *next);
  uint64_t before;          /* of what is limited, in the launches before; `reached` counts over all of them */
  struct sl_tape *restores; /* the launch goes on from there, to the tape's end; NULL: it begins */
  void *context;
  /* Told of each instruction that a warp has executed, and of each block before its first; NULL: not wanted. */
  void (*executed)(void *context, const struct sl_ptx_warp *warp, const struct sl_ptx_effect *effect);
  void (*begun)(void *context, const struct sl_ptx_block *block);
};

/* Whether all of a launch that was to go on has been read; the sentence if not. */
enum sl_status sl_ptx_restored(struct sl_tape *tape, struct sl_error *err);

/* Adds to *counts, also when it fails; they are part of a launch that goes on. */
enum sl_status sl_ptx_grid_run(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                               struct sl_ptx_counts *counts, struct sl_error *err);

#endif
