/* Grids of PTX on a configuration of the machine sm7, with timing or without, and the results of each launch. It is the
 * counterpart of a device for programs with a host CPU. */
#ifndef SL_GPU_GRIDS_H
#define SL_GPU_GRIDS_H

#include "config/config.h"
#include "gpu/device.h"
#include "machine/sm7/sm7_engine.h"

struct sl_grids_options {
  bool fast;          /* without timing */
  unsigned threads;   /* maximum number of host threads for timing; 0: one. Results do not depend on it */
  uint32_t registers; /* per thread, for occupancy; overrides the launch; 0: the launch's */
  struct sl_ptx_bounds bounds;
};

struct sl_grid_launch {
  struct sl_launch launch; /* counters of the current mode only; entry is the kernel's first PC */
  char kernel[SL_PTX_NAME];
  uint32_t grid[3], block[3];
  struct sl_sm7_demand demand;
  uint64_t warp_instructions;        /* without timing, after its end */
  struct sl_sm7_occupancy occupancy; /* all 0 if it does not fit, which is not an error without timing */
};

struct sl_grids {
  const struct sl_config *config;
  struct sl_grids_options options;
  struct sl_sm7_engine engine; /* with timing */
  struct sl_ptx_engine timed;
  struct sl_grid_launch *launch; /* includes a launch that has failed, up to its failure */
  size_t count, room;
  struct sl_archive *restores; /* state from which the next launch resumes; NULL: it starts */
};

/* Opens grids. SL_USAGE: the configuration's machine does not run PTX. Call sl_grids_close in any case. */
enum sl_status sl_grids_open(struct sl_grids *grids, const struct sl_config *config,
                             const struct sl_grids_options *options, struct sl_error *err);
void sl_grids_close(struct sl_grids *grids);

/* The engine that executes launch scripts on the grids; `grids` must not move. */
struct sl_ptx_engine sl_grids_engine(struct sl_grids *grids);

/* Serialises the finished launches. A restore needs grids without launches. */
void sl_grids_archive(struct sl_archive *archive, struct sl_grids *grids);

/* The options with which a module must be loaded for the grids. */
struct sl_ptx_options sl_grids_semantics(const struct sl_grids *grids);

/* A counter summed over all launches. */
uint64_t sl_grids_total(const struct sl_grids *grids, size_t counter);

/* Host seconds spent on launches. */
double sl_grids_seconds(const struct sl_grids *grids);

#endif
