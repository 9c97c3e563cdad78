/* Grids of PTX on a configuration of the machine sm7, with timing or without, and what each launch came to: what a
 * device is to programs with a host CPU. */
#ifndef SL_GPU_GRIDS_H
#define SL_GPU_GRIDS_H

#include "config/config.h"
#include "gpu/device.h"
#include "machine/sm7/sm7_engine.h"

struct sl_grids_options {
  bool fast;          /* without timing */
  unsigned threads;   /* of the host, with timing, at most; 0: one. Results do not depend on it */
  bool watches;       /* with timing: where slots go, by instruction (engine.slots) */
  uint32_t registers; /* of a thread, for occupancy, whatever the launch says; 0: as it says */
  struct sl_ptx_bounds bounds;
};

struct sl_grid_launch {
  struct sl_launch launch; /* of its counters those that the mode has; entry is the kernel's first PC */
  char kernel[SL_PTX_NAME];
  uint32_t grid[3], block[3];
  struct sl_sm7_demand demand;
  uint64_t warp_instructions;        /* without timing, when it is over */
  struct sl_sm7_occupancy occupancy; /* all 0 if it would not fit, which without timing is no error */
};

struct sl_grids {
  const struct sl_config *config;
  struct sl_grids_options options;
  struct sl_sm7_engine engine; /* with timing */
  struct sl_ptx_engine timed;
  struct sl_grid_launch *launch; /* also one that has failed, up to there */
  size_t count, room;
  struct sl_tape *restores; /* from where the next launch goes on; NULL: it begins */
};

/* SL_USAGE: the configuration is of a machine that runs no PTX. To be closed also when this failed. */
enum sl_status sl_grids_open(struct sl_grids *grids, const struct sl_config *config,
                             const struct sl_grids_options *options, struct sl_error *err);
void sl_grids_close(struct sl_grids *grids);

/* What plays launch descriptions on it; `grids` stays where it is. */
struct sl_ptx_engine sl_grids_engine(struct sl_grids *grids);

/* The launches that are over, on a tape; it is read into grids that have had none. */
void sl_grids_tape(struct sl_tape *tape, struct sl_grids *grids);

/* How a module has to be loaded for it. */
struct sl_ptx_options sl_grids_semantics(const struct sl_grids *grids);

/* A counter over all launches. */
uint64_t sl_grids_total(const struct sl_grids *grids, size_t counter);

/* Time of the computer spent on launches. */
double sl_grids_seconds(const struct sl_grids *grids);

#endif
