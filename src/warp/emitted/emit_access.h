/* Loads and stores in emitted code: of neighbouring units, of one unit for all lanes, of the word of each lane's own
 * stack, and of words anywhere. Addresses that are surely good are those a step knows (warp/blocks/step_lanes.c); all
 * others are left to it. */
#ifndef SL_WARP_EMITTED_EMIT_ACCESS_H
#define SL_WARP_EMITTED_EMIT_ACCESS_H

#include "warp/emitted/emit_checks.h"

/* Whether there is code for a load or store. */
bool sl_emit_accesses(const struct sl_emitter *e, const struct sl_insn *in);

void sl_emit_access(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);

/* What is written behind the block: one unit for all, own stacks, and words anywhere. Those that remain jump to where
 * the step is called, which is told with sl_x86_land(). */
void sl_emit_access_others(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);

#endif
