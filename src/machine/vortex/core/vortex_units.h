/* The ALU, FPU and SFU, and commit of a Vortex core: queues and delays, as the keys say. */
#ifndef SL_MACHINE_VORTEX_UNITS_H
#define SL_MACHINE_VORTEX_UNITS_H

#include "machine/vortex/core/vortex_flight.h"

/* What is due in this cycle: results, and registers that are written. Before all other stages. */
void sl_vortex_begin(struct sl_vortex_pipeline *core);

void sl_vortex_units(struct sl_vortex_pipeline *core);
void sl_vortex_commit(struct sl_vortex_pipeline *core);

/* Whether commit has anything before it: when not, it need not be called. */
static inline bool sl_vortex_commits(const struct sl_vortex_pipeline *core)
{
  uint32_t count = 0;
  for (unsigned slice = 0; slice < core->slices; slice++)
    count |= core->s.results[slice];
  return count != 0;
}

#endif
