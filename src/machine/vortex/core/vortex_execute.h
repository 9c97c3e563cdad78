/* What instructions of a Vortex core do, once each: when they are issued, or when they are scheduled (key execute). */
#ifndef SL_MACHINE_VORTEX_EXECUTE_H
#define SL_MACHINE_VORTEX_EXECUTE_H

#include "machine/vortex/core/vortex_flight.h"

/* Replaces what of an instruction is extensions', in program order. False: the core has faulted. */
bool sl_vortex_rename(struct sl_vortex_pipeline *core, uint16_t op);

/* `clock` is the time that the instruction reads. */
void sl_vortex_execute(struct sl_vortex_pipeline *core, uint16_t op, uint64_t clock);

#endif
