/* Phases of a kernel with linear registers on an SM (R2D2, ISCA 2023, section 4.1). The first block's first warp
 * computes the coefficients; all warps of that block then compute the thread part. The first warp of every block
 * computes the block part, and the block's warps then execute the rest. With r2d2.overlap the block part does not wait
 * for the thread part. Warps that must wait are treated as waiting at a barrier. While a scheduler has warps in an
 * earlier phase it schedules round robin. */
#ifndef SL_MACHINE_SM7_PHASES_H
#define SL_MACHINE_SM7_PHASES_H

#include "machine/sm7/core/sm7_sm.h"

/* The warps of a block have begun. */
void sl_sm7_phases_begin(struct sl_sm7_sm *sm, unsigned slot);

/* A warp has executed an instruction, on the given number of lanes. */
void sl_sm7_phases_follow(struct sl_sm7_sm *sm, unsigned warp, unsigned lanes);

/* For r2d2.global_wait: whether the SM has the linear registers that its blocks, if any, need; and a notice that all
 * SMs have. */
bool sl_sm7_phases_done(const struct sl_sm7_sm *sm);
void sl_sm7_phases_open(struct sl_sm7_sm *sm);

/* For r2d2.fetch: the subset of the warps wanting instructions for which fetch is allowed. */
uint64_t sl_sm7_phases_fetchable(struct sl_sm7_sm *sm, uint64_t wanting, uint64_t now);

#endif
