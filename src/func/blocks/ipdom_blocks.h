/* Functional execution of a Vortex warp, one basic block at a time: sl_ipdom_execute() without its dispatch. Only
 * warp-control instructions change the mask, and no basic block contains one. */
#ifndef SL_WARP_BLOCKS_IPDOM_BLOCKS_H
#define SL_WARP_BLOCKS_IPDOM_BLOCKS_H

#include "func/blocks/basic_blocks.h"
#include "func/ipdom_warps.h"

/* Prepares the basic blocks of such warps. There are none without flat memory or with extensions, or if the observer
 * wants to hear of each instruction. */
void sl_ipdom_blocks_init(struct sl_basic_blocks *b, const struct sl_ipdom_warps *w, enum sl_execution_mode mode,
                          bool portable, struct sl_probes *probes);

/* Executes up to `instructions` instructions of a warp with the lanes of its mask, and returns their number. If it is
 * smaller, sl_ipdom_execute() must execute the next one. Call between sl_fp_enter() and sl_fp_leave(). */
uint64_t sl_ipdom_blocks_run(struct sl_basic_blocks *b, struct sl_ipdom_warps *w, uint64_t edition, unsigned warp,
                             uint64_t instructions);

#endif
