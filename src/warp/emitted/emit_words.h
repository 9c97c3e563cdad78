/* Loads and stores of words that are anywhere in memory, in place: a gather, or a scatter to places that are all
 * different. */
#ifndef SL_WARP_EMITTED_EMIT_WORDS_H
#define SL_WARP_EMITTED_EMIT_WORDS_H

#include "warp/emitted/emit_checks.h"

/* Where some lane's word is not surely good, or two store to one, jumps to where the step is called; without scatters
 * (AVX2) with every store. */
void sl_emit_words(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);

/* The same for a host of one level. */
void sl_emit_words_avx512(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);
void sl_emit_words_avx2(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a);

#endif
