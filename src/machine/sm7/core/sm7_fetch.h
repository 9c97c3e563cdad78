/* Fetch and decode: in each of the steps of a cycle the pair of instructions that the step before fetched is decoded,
 * then the warps are looked at from the one after the last fetched: the first that is alive with an empty buffer is
 * fetched for. The same walk retires warps that have ended, which may end their block.
 *
 * With an instruction cache the fetch may miss: the warp then waits for its line, and a step in which an answer is
 * there takes that instead of looking for a warp. Every step also sends a miss on its way. */
#ifndef SL_MACHINE_SM7_FETCH_H
#define SL_MACHINE_SM7_FETCH_H

#include "machine/sm7/core/sm7_sm.h"

/* `now` counts over launches. */
void sl_sm7_fetch(struct sl_sm7_sm *sm, uint64_t now);

/* A packet of instructions has come. */
void sl_sm7_instructions_came(struct sl_sm7_sm *sm, const struct sl_sm7_packet *p, uint64_t now);

/* Throws away what a warp has in its buffer. */
void sl_sm7_flush(struct sl_sm7_sm *sm, unsigned warp);

/* Whether the next cycle would fetch, decode or retire. */
bool sl_sm7_fetches(const struct sl_sm7_sm *sm);

#endif
