/* Runs a launch script with an engine that executes grids: the functional engine, or a machine's timed engine. */
#ifndef SL_PTX_LAUNCH_PTX_PLAY_H
#define SL_PTX_LAUNCH_PTX_PLAY_H

#include "ptx/launch/ptx_script.h"
#include "ptx/run/ptx_grid.h"

/* Executes a grid; adds to *counts. */
struct sl_ptx_engine {
  enum sl_status (*run)(void *context, const struct sl_ptx_launch *launch, struct sl_ptx_counts *counts,
                        struct sl_error *err);
  /* Notified of data that the host has copied to the device, in order (not of zeros or memset); may be NULL. */
  void (*copied)(void *context, uint64_t address, uint64_t bytes);
  void *context;
};

struct sl_ptx_play;

/* Observer of a script's execution. Functions may be NULL. */
struct sl_ptx_observer {
  /* Called before the first step; its arguments stay valid until the script ends. Not SL_OK: the script ends. */
  enum sl_status (*begun)(void *context, struct sl_ptx_play *play, struct sl_error *err);
  void (*launched)(void *context, const struct sl_ptx_launch *launch, const struct sl_ptx_counts *counts);
  void (*summed)(void *context, const char *buffer, uint64_t sum);
  void *context;
};

/* Finds a kernel of a module; an error if it does not support blocks of that size. */
enum sl_status sl_ptx_find_kernel(const struct sl_ptx_module *module, const char *name, const uint32_t block[3],
                                  const struct sl_ptx_function **kernel, struct sl_error *err);

/* The functional engine. `bounds` apply to each launch; keep them while the engine is in use. */
struct sl_ptx_engine sl_ptx_fast_engine(struct sl_ptx_bounds *bounds);

/* Checkpoints a script during a launch: the step number and all of memory. It is restored into a script that has just
 * begun. The script then continues with that launch, at the request of the engine. */
void sl_ptx_play_archive(struct sl_archive *archive, struct sl_ptx_play *play);

/* Loads the module and performs the steps in order. SL_CHECK_FAILED if a checksum differs from the expected one. */
enum sl_status sl_ptx_play(const struct sl_ptx_script *script, const struct sl_ptx_options *options,
                           const struct sl_ptx_engine *engine, const struct sl_ptx_observer *observer,
                           struct sl_error *err);

#endif
