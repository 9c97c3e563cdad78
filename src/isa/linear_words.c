#include "isa/linear_words.h"

#include <inttypes.h>
#include <stdio.h>

uint32_t sl_linear_word(enum sl_op op, const struct sl_linear_fields *f)
{
  const uint32_t word = sl_op_info(op)->match, index = f->dimension << 15, adds = (uint32_t)f->adds << 17;
  switch (op) {
  case SL_OP_R2_USE: return word | f->ur << 27 | f->s2 << 21 | f->s1 << 15;
  case SL_OP_R2_CR: return word | f->cr << 20;
  case SL_OP_R2_MAD_TR: return word | f->cr << 20 | adds | index | f->tr << 7;
  case SL_OP_R2_MADI_TR: return word | (uint32_t)f->number << 20 | adds | index | f->tr << 7;
  case SL_OP_R2_MAD_BR: return word | f->slice << 20 | index;
  case SL_OP_R2_FORM: return word | f->words << 20;
  default: return word;
  }
}

static const char *operand(const char *letters, uint32_t field, char text[16])
{
  if (field == 0)
    return "-";
  snprintf(text, 16, "%s%" PRIu32, letters, field - 1);
  return text;
}

int sl_linear_word_text(const struct sl_insn *in, char *text, size_t size)
{
  const struct sl_linear_fields f = sl_linear_fields_of((uint32_t)in->word);
  const char *name = sl_op_info(in->op)->name;
  char ur[16], s1[16], s2[16], more[16] = "";
  if (f.adds)
    snprintf(more, sizeof more, ",tr%" PRIu32, f.tr);
  const char index = "xyz?"[f.dimension];
  switch (in->op) {
  case SL_OP_R2_USE:
    return snprintf(text, size, "%s\t%s,%s,%s", name, operand("ur", f.ur, ur), operand("s", f.s1, s1),
                    operand("s", f.s2, s2));
  case SL_OP_R2_CR: return snprintf(text, size, "%s\tcr%" PRIu32, name, f.cr);
  case SL_OP_R2_MAD_TR:
    return snprintf(text, size, "%s\ttr%" PRIu32 ",tid.%c,cr%" PRIu32 "%s", name, f.tr, index, f.cr, more);
  case SL_OP_R2_MADI_TR:
    return snprintf(text, size, "%s\ttr%" PRIu32 ",tid.%c,%" PRId32 "%s", name, f.tr, index, f.number, more);
  case SL_OP_R2_MAD_BR: return snprintf(text, size, "%s\tctaid.%c,cr%" PRIu32, name, index, f.slice * SL_LINEAR_SLICE);
  case SL_OP_R2_FORM: return snprintf(text, size, "%s\t%" PRIu32, name, f.words);
  default: return snprintf(text, size, "%s", name);
  }
}
