/* Performs a launch description, with an engine that runs grids: the one without time, or a machine's. */
#ifndef SL_PTX_LAUNCH_PTX_PLAY_H
#define SL_PTX_LAUNCH_PTX_PLAY_H

#include "ptx/launch/ptx_script.h"
#include "ptx/run/ptx_grid.h"

/* Who runs a grid. It adds to *counts. */
struct sl_ptx_engine {
  enum sl_status (*run)(void *context, const struct sl_ptx_launch *launch, struct sl_ptx_counts *counts,
                        struct sl_error *err);
  /* Told of what the host has copied to the device, in order (zeros are not copied, nor is memset); may be NULL. */
  void (*copied)(void *context, uint64_t address, uint64_t bytes);
  void *context;
};

struct sl_ptx_play;

/* What is told as a description is performed. Functions may be NULL. */
struct sl_ptx_listener {
  /* Before the first step; what is told is there until all is over. Not SL_OK: it is over. */
  enum sl_status (*begun)(void *context, struct sl_ptx_play *play, struct sl_error *err);
  void (*launched)(void *context, const struct sl_ptx_launch *launch, const struct sl_ptx_counts *counts);
  void (*summed)(void *context, const char *buffer, uint64_t sum);
  void *context;
};

/* A kernel of a module, if blocks of that size are for it. */
enum sl_status sl_ptx_find_kernel(const struct sl_ptx_module *module, const char *name, const uint32_t block[3],
                                  const struct sl_ptx_function **kernel, struct sl_error *err);

/* The engine without time; the bounds are those of each launch, to be kept while it is used. */
struct sl_ptx_engine sl_ptx_fast_engine(struct sl_ptx_bounds *bounds);

/* A description one of whose launches is under way: which step that is, and all of memory, on a tape. It is read into
 * one that has just begun, and which then goes on with that launch, told to do so by whoever runs grids. */
void sl_ptx_play_tape(struct sl_tape *tape, struct sl_ptx_play *play);

/* Loads the module and performs the steps in order. SL_CHECK_FAILED if a sum is not what was expected. */
enum sl_status sl_ptx_play(const struct sl_ptx_script *script, const struct sl_ptx_options *options,
                           const struct sl_ptx_engine *engine, const struct sl_ptx_listener *listener,
                           struct sl_error *err);

#endif
