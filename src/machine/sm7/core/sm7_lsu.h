/* The load/store unit: a dispatch register for one memory instruction, shared memory behind a pipe, L1 behind a pipe
 * per bank, and one register through which loads are written back. L1 hits release their registers without it. Stores,
 * atomics and misses become packets to L2.
 *
 * With lsu.interval it accepts an instruction only every few cycles. Sources for two cycles on NVIDIA's GPUs: Huerta et
 * al., arXiv:2503.20481, section 5.4; 64 warps of a V100 take 2.1 cycles per load of 32 bits that hits L1 (l1-bw in
 * table VIII of Khairy et al., Accel-Sim, ISCA 2020: 578,838 cycles). */
#ifndef SL_MACHINE_SM7_LSU_H
#define SL_MACHINE_SM7_LSU_H

#include "machine/sm7/core/sm7_sm.h"

/* Runs after the arithmetic units and before the operand collectors. */
void sl_sm7_lsu_cycle(struct sl_sm7_sm *sm, uint64_t cycle, uint64_t now);

/* The next cycle in which the unit can act without external input. */
uint64_t sl_sm7_lsu_next(const struct sl_sm7_sm *sm, uint64_t cycle);

#endif
