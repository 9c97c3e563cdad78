/* Functional execution of a whole grid: blocks one after another, the warps of a block in turn. A warp runs to its next
 * barrier, its end, or the end of its time slice, so that warps may wait for each other's stores. */
#ifndef SL_PTX_RUN_PTX_GRID_H
#define SL_PTX_RUN_PTX_GRID_H

#include "base/schema.h"
#include "isa/probe.h"
#include "ptx/run/ptx_execute.h"
#include "ptx/run/ptx_fault.h"

struct sl_ptx_counts {
  uint64_t thread_insns; /* lanes that execute an instruction and whose guard holds */
  uint64_t warp_insns;
  uint64_t blocks;
  uint64_t cycles; /* of a timed run, else 0 */
};

/* A running launch, for checkpoints. */
struct sl_ptx_under_way {
  void (*archive)(void *launch, struct sl_archive *archive);
  void *launch;
};

/* Conditions that end a grid early: SL_LIMIT, SL_STOPPED. */
struct sl_ptx_bounds {
  uint64_t limit;                 /* functional: warp instructions, timed: cycles; 0: none */
  bool (*goes_on)(void *context); /* polled; false stops the run; NULL: never stops */
  /* Called at the start of a launch, and when the limited quantity reaches the value last stored in *next; functional
   * runs call it soon afterwards. False: the launch is stopped. NULL: not wanted. */
  bool (*reached)(void *context, const struct sl_ptx_under_way *launch, uint64_t now, uint64_t *next);
  uint64_t before;             /* the limited quantity in earlier launches; `reached` counts over all of them */
  struct sl_archive *restores; /* the launch resumes from this archive, up to its end; NULL: it begins */
  void *context;
  struct sl_probes *probes; /* the observer; NULL: none */
  unsigned launch;          /* number of the launch in its events */
  uint64_t order;           /* functional: a seed for the order of blocks and warps; 0: ascending */
  bool alone;               /* functional: one block at a time, though others may wait for a block that has not begun */
  uint64_t first, end;      /* functional: only blocks `first` to `end` - 1 of the grid; end 0: all */
};

/* Whether a resumed launch has been read completely; else the message. */
enum sl_status sl_ptx_restored(struct sl_archive *archive, struct sl_error *err);

/* A grid that runs in parts. Open: it has not begun. Go on: runs to the end, until the launch
 * has executed `until` warp instructions or a few more (SL_PAUSED), or to a stop. The division into parts does not
 * change the result. SL_STOPPED: goes_on,
 * `reached` or the observer has stopped it; after the observer the next call resumes. Close it in any case. The launch,
 * the bounds and the counts must outlive it. */
struct sl_ptx_grid;
enum sl_status sl_ptx_grid_open(struct sl_ptx_grid **grid, const struct sl_ptx_launch *launch,
                                const struct sl_ptx_bounds *bounds, struct sl_ptx_counts *counts, struct sl_error *err);
enum sl_status sl_ptx_grid_go_on(struct sl_ptx_grid *grid, uint64_t until, struct sl_error *err);
void sl_ptx_grid_close(struct sl_ptx_grid *grid);

/* Whether a warp of a block that runs waits at a barrier. The executing warp does not wait yet. */
bool sl_ptx_grid_waits(const struct sl_ptx_grid *grid, const struct sl_ptx_block *block, unsigned warp);

/* The fault that ended it; kind SL_PTX_FAULT_NONE if none did. */
struct sl_ptx_fault sl_ptx_grid_fault(const struct sl_ptx_grid *grid);

/* Runs a grid to its end, or to its first stop. Adds to *counts, also on failure. The counts of a resumed launch
 * include the part before the checkpoint. */
enum sl_status sl_ptx_grid_run(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                               struct sl_ptx_counts *counts, struct sl_error *err);

/* An engine that executes grids of PTX: the functional one, a machine's timed one, or an analysis that observes the
 * grids while it executes them. */

struct sl_ptx_engine {
  /* Executes a grid; adds to *counts. */
  enum sl_status (*run)(void *context, const struct sl_ptx_launch *launch, struct sl_ptx_counts *counts,
                        struct sl_error *err);
  /* Notified of data that the host has copied to the device, in order (not of zeros or memset); may be NULL. */
  void (*copied)(void *context, uint64_t address, uint64_t bytes);
  void *context;
};

#endif
