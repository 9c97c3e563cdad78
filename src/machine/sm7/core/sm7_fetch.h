/* Fetch and decode. Each step of a cycle decodes the pair of instructions that the previous step fetched. It then
 * searches the warps, from the one after the last fetched, and fetches for the first live warp with an empty buffer.
 * The same search retires warps that have ended, which may end their block.
 *
 * With an instruction cache a fetch may miss. The warp then waits for its line. A step in which an answer has arrived
 * takes the answer instead of searching for a warp. Every step also sends one miss. */
#ifndef SL_MACHINE_SM7_FETCH_H
#define SL_MACHINE_SM7_FETCH_H

#include "machine/sm7/core/sm7_sm.h"

/* `now` counts over launches. */
void sl_sm7_fetch(struct sl_sm7_sm *sm, uint64_t now);

/* A packet of instructions has arrived. */
void sl_sm7_instructions_came(struct sl_sm7_sm *sm, const struct sl_sm7_packet *p, uint64_t now);

/* Discards the contents of a warp's buffer. */
void sl_sm7_flush(struct sl_sm7_sm *sm, unsigned warp);

/* Whether the next cycle would fetch, decode or retire. */
bool sl_sm7_fetches(const struct sl_sm7_sm *sm);

#endif
