/* A warp with one program counter and a thread mask that executes a stretch at a time, without timing: the function of
 * sl_ipdom_execute() without its dispatch. Only instructions of warp control change the mask, and no stretch has one.
 */
#ifndef SL_WARP_BLOCKS_IPDOM_BLOCKS_H
#define SL_WARP_BLOCKS_IPDOM_BLOCKS_H

#include "warp/blocks/stretches.h"
#include "warp/ipdom_warps.h"

/* Stretches of such warps. None where memory is not flat, nor with extensions. */
void sl_ipdom_blocks_init(struct sl_stretches *b, const struct sl_ipdom_warps *w, enum sl_tier tier, bool portable);

/* Between sl_fp_enter() and sl_fp_leave(): executes at most so many instructions of a warp and returns how many, all of
 * them with the lanes of its mask. Fewer: the next one is for sl_ipdom_execute(). */
uint64_t sl_ipdom_blocks_run(struct sl_stretches *b, struct sl_ipdom_warps *w, uint64_t edition, unsigned warp,
                             uint64_t instructions);

#endif
