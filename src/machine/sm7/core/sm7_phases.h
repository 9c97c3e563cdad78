/* Phases of a kernel with linear registers on an SM (R2D2, ISCA 2023, section 4.1): the first block's first warp
 * computes coefficients; then all warps of that block the threads' part; then the first warp of every block the block's
 * part; then a block's warps go on with the rest. With r2d2.overlap the
 * block's part does not wait for the threads'. Who has to wait is among those at barriers. While a scheduler has
 * warps in an earlier phase it goes round robin. */
#ifndef SL_MACHINE_SM7_PHASES_H
#define SL_MACHINE_SM7_PHASES_H

#include "machine/sm7/core/sm7_sm.h"

/* The warps of a block have begun. */
void sl_sm7_phases_begin(struct sl_sm7_sm *sm, unsigned slot);

/* A warp has executed an instruction, on so many lanes. */
void sl_sm7_phases_follow(struct sl_sm7_sm *sm, unsigned warp, unsigned lanes);

/* For r2d2.global_wait: whether the SM has what its blocks, if any, need of linear registers; and that all have. */
bool sl_sm7_phases_done(const struct sl_sm7_sm *sm);
void sl_sm7_phases_open(struct sl_sm7_sm *sm);

/* For r2d2.fetch: of the warps that want instructions those that may be fetched for. */
uint64_t sl_sm7_phases_fetchable(struct sl_sm7_sm *sm, uint64_t wanting, uint64_t now);

#endif
