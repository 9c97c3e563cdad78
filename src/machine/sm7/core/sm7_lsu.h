/* The load/store unit: one memory instruction at a time in its dispatch register, shared memory behind a pipe, L1
 * behind a pipe per bank, and one register through which loads are written back. Hits in L1 release their registers
 * without it. Stores, atomics and misses become packets to L2. */
#ifndef SL_MACHINE_SM7_LSU_H
#define SL_MACHINE_SM7_LSU_H

#include "machine/sm7/core/sm7_sm.h"

/* After the arithmetic units, before the operand collectors. */
void sl_sm7_lsu_cycle(struct sl_sm7_sm *sm, uint64_t cycle, uint64_t now);

/* The next cycle in which it has something to do by itself. */
uint64_t sl_sm7_lsu_next(const struct sl_sm7_sm *sm, uint64_t cycle);

#endif
