/* Votes and shuffles of Vortex: instructions whose result depends on other lanes of the warp.
 *
 * Source: published sources of the third version, kernel/include/vx_intrinsics.h and sim/simx/alu_unit.cpp. */
#ifndef SL_WARP_IPDOM_VOTES_H
#define SL_WARP_IPDOM_VOTES_H

#include "func/ipdom_warps.h"

/* `set`: the active lanes with a true predicate. A ballot has a bit for each of the first 32 lanes. */
void sl_ipdom_vote(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex, sl_lanes set);

/* Registers of inactive lanes are read as they are. */
void sl_ipdom_shuffle(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex);

#endif
