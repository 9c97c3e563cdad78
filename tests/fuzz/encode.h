/* Encoding of instructions: the inverse of decoding, for tests only. */
#ifndef SL_TESTS_ENCODE_H
#define SL_TESTS_ENCODE_H

#include "isa/isa.h"

/* Builds the word of in->op from the decoded fields. Fields that decoding leaves in in->word (rounding mode, ordering,
 * fence sets) come from there. *given: the bits that the row and its format determine; the others are 0 in *word. False
 * for an op without a row and for an unknown format. */
bool sl_encode(const struct sl_insn *in, uint32_t *word, uint32_t *given);

#endif
