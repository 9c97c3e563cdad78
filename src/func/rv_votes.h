/* Votes and shuffles: instructions whose result depends on other lanes of the warp that execute them together. They are
 * Vortex's; the other machines have them as an extension of simtlab's (key warp_functions).
 *
 * A predicate is bit 0 of rs1. The votes all, any and uni (all lanes equal) are 0 or 1 in every active lane. A ballot
 * has a bit for each active lane with a true predicate. It holds 32 lanes: in a wider warp, a true predicate of a lane
 * above 31 is a fault, so that no lane is lost. There, the low and the high word are two instructions (VOTE_LOW,
 * VOTE_HIGH), which are simtlab's own.
 *
 * A shuffle reads rs1 of another lane. Registers of inactive lanes are read as they are.
 *
 * The wait for lanes (SYNC_LANES, simtlab's own) has their mask in rs1, and above 31 in rs2. It goes on if none of them
 * is elsewhere; lanes that have ended do not count. Otherwise the convergence scheme makes the group wait if it can,
 * and if it cannot, that is a fault.
 *
 * Source: published sources of Vortex's third version, kernel/include/vx_intrinsics.h and sim/simx/alu_unit.cpp. There
 * a ballot silently has the first 32 lanes. */
#ifndef SL_FUNC_RV_VOTES_H
#define SL_FUNC_RV_VOTES_H

#include "isa/isa.h"

struct sl_rv_lanes;

/* Executes an instruction of kind VOTE. Returns the lanes that the result would lose; if there are any, nothing has
 * changed. */
sl_lanes sl_rv_vote(const struct sl_rv_lanes *lanes);

/* The lanes that SYNC_LANES waits for, without the active ones: the union of the lanes' masks. */
sl_lanes sl_rv_awaited(const struct sl_rv_lanes *lanes);

#endif
