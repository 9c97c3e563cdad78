/* JIT code for loads and stores of words at arbitrary addresses: a gather, or a scatter to distinct addresses. */
#ifndef SL_WARP_JIT_EMIT_WORDS_H
#define SL_WARP_JIT_EMIT_WORDS_H

#include "func/jit/emit_checks.h"

/* Emits the access. It jumps to the step's call if a lane's address needs a check by the step or two lanes store to one
 * word. Without scatter instructions (AVX2) every store jumps there. */
void sl_emit_words(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);

/* The same for one host level. */
void sl_emit_words_avx512(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);
void sl_emit_words_avx2(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);

#endif
