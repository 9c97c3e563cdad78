/* The ALU, FPU and SFU, and commit of a Vortex core: queues and delays, as the keys say. */
#ifndef SL_MACHINE_VORTEX_UNITS_H
#define SL_MACHINE_VORTEX_UNITS_H

#include "machine/vortex/core/vortex_flight.h"

/* Registers are written: before all other stages. */
void sl_vortex_clear(struct sl_vortex_pipeline *core, struct sl_vortex_due *due);

void sl_vortex_units(struct sl_vortex_pipeline *core);

/* Results that are due in this cycle, and one per slice of them to those who wait. */
void sl_vortex_commit(struct sl_vortex_pipeline *core, struct sl_vortex_due *due);

#endif
