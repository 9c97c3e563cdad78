/* JIT code for computations and branch conditions, as row operations (emit_rows.h). The semantics column of
 * isa/rv32.def defines them; floating point has no flags (isa/semantics.h). */
#ifndef SL_WARP_JIT_EMIT_VALUES_H
#define SL_WARP_JIT_EMIT_VALUES_H

#include "func/jit/emit_rows.h"

/* Emits: rd = value, on the active lanes. */
void sl_emit_number(struct sl_emit_rows *c, unsigned rd, uint32_t value);

/* Emits an instruction that computes a value; rd is not x0. Returns false if the JIT has no code for it; then it has
 * emitted nothing. */
bool sl_emit_value(struct sl_emit_rows *c, const struct sl_insn *in, uint32_t pc);

/* Emits: eax = the active lanes that take the branch. Returns false as above. */
bool sl_emit_condition(struct sl_emit_rows *c, const struct sl_insn *in);

#endif
