/* Loads and stores in JIT code. The code handles consecutive units, one unit for all lanes, each lane's word on its own
 * interleaved stack, and arbitrary words. It accepts the addresses that a step accepts (func/blocks/step_lanes.c) and
 * calls the step for all others. */
#ifndef SL_WARP_JIT_EMIT_ACCESS_H
#define SL_WARP_JIT_EMIT_ACCESS_H

#include "func/jit/emit_checks.h"

/* Returns true if the JIT has code for this load or store. */
bool sl_emit_accesses(const struct sl_emitter *e, const struct sl_insn *in);

void sl_emit_access(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);

/* Emits the out-of-line code: one unit for all lanes, own stacks, and arbitrary words. All other accesses jump to the
 * call of the step; the caller sets these jumps with sl_x86_land(). */
void sl_emit_access_others(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);

#endif
