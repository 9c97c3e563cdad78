/* Instructions that compute values, and conditions of branches, as operations on rows (emit_rows.h). What they compute
 * is the semantics column of isa/rv32.def; floating point is that without flags (isa/semantics.h). */
#ifndef SL_WARP_EMITTED_EMIT_VALUES_H
#define SL_WARP_EMITTED_EMIT_VALUES_H

#include "warp/emitted/emit_rows.h"

/* rd = a number, on the active lanes. */
void sl_emit_number(struct sl_emit_rows *c, unsigned rd, uint32_t value);

/* An instruction that computes a value, which is not for x0. False: it has no code here; nothing was written. */
bool sl_emit_value(struct sl_emit_rows *c, const struct sl_insn *in, uint32_t pc);

/* The lanes on which a branch is taken, of the active ones, to eax. False: as above. */
bool sl_emit_condition(struct sl_emit_rows *c, const struct sl_insn *in);

#endif
