#include "compiler/linear/linear_form.h"

#include <assert.h>

enum { THREAD_REGISTERS = 16, REGISTERS = 32, BYTE = 8, WORD = 4 };

static uint32_t four(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
  return a | b << BYTE | c << 2 * BYTE | d << 3 * BYTE;
}

static uint8_t byte(uint32_t word, unsigned i)
{
  return (uint8_t)(word >> BYTE * i);
}

unsigned sl_linear_form_write(const struct sl_linear_form *f, uint32_t *word)
{
  const uint32_t words = SL_LINEAR_FORM_HEAD + 2u * f->sums;
  word[0] = sl_linear_word(SL_OP_R2_FORM, &(struct sl_linear_fields){.words = words});
  word[1] = f->entry;
  for (unsigned i = 0; i < SL_LINEAR_FORM_PHASES; i++)
    word[2 + i] = f->start[i];
  word[6] = f->end;
  word[7] = four(f->lrs, f->trs, f->crs, f->urs);
  word[8] = four(f->sums, f->before, f->after, 0);
  for (unsigned i = 0; i < f->sums; i++) {
    const struct sl_linear_form_sum *s = &f->sum[i];
    word[SL_LINEAR_FORM_HEAD + 2 * i] = four(s->lr, s->tr, s->cr, s->ur);
    word[SL_LINEAR_FORM_HEAD + 2 * i + 1] = s->number;
  }
  return words;
}

static bool below(uint8_t number, uint8_t count)
{
  return number < count || number == SL_LINEAR_FORM_NONE;
}

static bool has_sums(const struct sl_linear_form *f)
{
  for (unsigned i = 0; i < f->sums; i++) {
    const struct sl_linear_form_sum *s = &f->sum[i];
    if (!below(s->lr, f->lrs) || !below(s->tr, f->trs) || !below(s->cr, f->crs) || !below(s->ur, f->urs))
      return false;
  }
  return true;
}

static bool has_places(const struct sl_linear_form *f)
{
  uint32_t last = f->end;
  for (unsigned i = SL_LINEAR_FORM_PHASES; i-- > 0; last = f->start[i])
    if (f->start[i] >= last || f->start[i] % WORD != 0)
      return false;
  return f->entry % WORD == 0 && f->end % WORD == 0;
}

bool sl_linear_form_read(struct sl_linear_form *f, const uint32_t *word, uint32_t count, const char **why)
{
  *f = (struct sl_linear_form){.entry = count > 1 ? word[1] : 0}; /* set also for a damaged descriptor */
  const uint32_t words = count > 0 ? sl_linear_fields_of(word[0]).words : 0;
  *why = "its length differs from the length that it states";
  if (words < SL_LINEAR_FORM_HEAD || words > SL_LINEAR_FORM_WORDS || words > count ||
      words != SL_LINEAR_FORM_HEAD + 2u * byte(word[8], 0))
    return false;
  for (unsigned i = 0; i < SL_LINEAR_FORM_PHASES; i++)
    f->start[i] = word[2 + i];
  f->end = word[6];
  f->lrs = byte(word[7], 0);
  f->trs = byte(word[7], 1);
  f->crs = byte(word[7], 2);
  f->urs = byte(word[7], 3);
  f->sums = byte(word[8], 0);
  f->before = byte(word[8], 1);
  f->after = byte(word[8], 2);
  for (unsigned i = 0; i < f->sums; i++) {
    const uint32_t parts = word[SL_LINEAR_FORM_HEAD + 2 * i];
    f->sum[i] = (struct sl_linear_form_sum){.lr = byte(parts, 0),
                                            .tr = byte(parts, 1),
                                            .cr = byte(parts, 2),
                                            .ur = byte(parts, 3),
                                            .number = word[SL_LINEAR_FORM_HEAD + 2 * i + 1]};
  }
  *why = "it uses more registers than the machine has";
  static_assert(SL_LINEAR_MOST_CRS == UINT8_MAX, "a byte can name no more coefficients");
  if (f->lrs > SL_LINEAR_SLICE || f->trs > THREAD_REGISTERS || f->urs > SL_LINEAR_MOST_URS || f->before > REGISTERS ||
      f->after > REGISTERS + SL_LINEAR_MOST_URS)
    return false;
  *why = "a sum uses registers that it does not declare";
  if (!has_sums(f))
    return false;
  *why = "its phases are not in order";
  return has_places(f);
}
