/* Arithmetic units: one of each kind per scheduler. A unit takes an instruction when its dispatch register is free, no
 * earlier one completes in the same cycle, and a result bus is free then; the register is free again after the
 * initiation interval; write-back comes latency + 2 cycles after execute. */
#ifndef SL_MACHINE_SM7_UNITS_H
#define SL_MACHINE_SM7_UNITS_H

#include "machine/sm7/core/sm7_sm.h"

/* What completes in this cycle is written back. */
void sl_sm7_write_results(struct sl_sm7_sm *sm, uint64_t cycle);

/* Units take what waits in front of them. */
void sl_sm7_execute(struct sl_sm7_sm *sm, uint64_t cycle);

/* The cycle after `cycle` in which the next result is written. */
uint64_t sl_sm7_next_result(const struct sl_sm7_sm *sm, uint64_t cycle);

#endif
