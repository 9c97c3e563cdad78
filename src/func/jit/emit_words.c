#include "func/jit/emit_words.h"

void sl_emit_words(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  (e->c.level == &sl_emit_avx2 ? sl_emit_words_avx2 : sl_emit_words_avx512)(e, in, a);
}
