/* An engine that executes grids of PTX: the functional one, a machine's timed one, or an analysis that observes the
 * grids while it executes them. */
#ifndef SL_PTX_RUN_PTX_ENGINE_H
#define SL_PTX_RUN_PTX_ENGINE_H

#include "ptx/run/ptx_grid.h"

struct sl_ptx_engine {
  /* Executes a grid; adds to *counts. */
  enum sl_status (*run)(void *context, const struct sl_ptx_launch *launch, struct sl_ptx_counts *counts,
                        struct sl_error *err);
  /* Notified of data that the host has copied to the device, in order (not of zeros or memset); may be NULL. */
  void (*copied)(void *context, uint64_t address, uint64_t bytes);
  void *context;
};

#endif
