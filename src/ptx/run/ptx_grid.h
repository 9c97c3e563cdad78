/* Functional execution of a whole grid: blocks one after another, the warps of a block in turn. A warp runs to its next
 * barrier, its end, or the end of its time slice, so that warps may wait for each other's stores. */
#ifndef SL_PTX_RUN_PTX_GRID_H
#define SL_PTX_RUN_PTX_GRID_H

#include "base/schema.h"
#include "isa/probe.h"
#include "ptx/run/ptx_access.h"
#include "ptx/run/ptx_execute.h"

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

/* Instructions that are counted apart as well, because a timed engine counts them apart. */
struct sl_ptx_apart {
  const bool *at; /* by pc; NULL: none */
  uint64_t warp_insns, thread_insns;
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
  struct sl_ptx_apart *apart; /* functional; NULL: none. They are in the counts, too */
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

/* Functional execution of a grid on several host threads. Each runs ranges of consecutive blocks
 * (ptx/run/ptx_grid.h), and takes the next range when it has finished one.
 *
 * Blocks of a grid have no order (PTX ISA, "Memory Consistency Model"), so results are those of one thread unless
 * blocks race, where one stores weakly to a place that another one accesses, or read what they have not written.
 * Kernels that communicate between blocks in any other way run on one thread: those with strong accesses to global
 * memory, fences beyond the block, calls of the host, reads of the clock, and atomics, except for reductions of
 * integers that may be performed in any order and whose old value no instruction reads. A fault is that of the first
 * block that has one, with the counts up to there. */

/* Whether a launch has several blocks, and the kernel and the bounds allow them to run at the same time: bounds without
 * limit, checkpoints, observer, order and range. */
bool sl_ptx_parallel_allowed(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds);

/* Runs such a grid to its end on up to `threads` threads, including the caller's, which alone calls goes_on. Adds to
 * *counts; *fault: the fault that ended it, otherwise unchanged. */
enum sl_status sl_ptx_parallel_run(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                                   unsigned threads, struct sl_ptx_counts *counts, struct sl_ptx_fault *fault,
                                   struct sl_error *err);

#endif
