#include "ptx/text/ptx_form_linear.h"

#include "ptx/run/ptx_linear.h"
#include "ptx/text/ptx_form_values.h"

/* An integer operand from `least` (0, or -1 for none) to `most`. */
static bool number(struct sl_ptx_parser *p, const struct sl_ptx_statement *st, unsigned operand, int least,
                   uint32_t most, uint32_t *value)
{
  const struct sl_ptx_operand *o = &st->operands[operand];
  const int64_t bits = (int64_t)o->item.number.bits;
  if (o->item.kind != SL_PTX_I_NUMBER || o->item.number.real || bits < least || bits > (int64_t)most)
    return sl_ptx_error(p, &o->at, "a number from %d to %u is expected here", least, most);
  *value = bits < 0 ? SL_PTX_LINEAR_NONE : (uint32_t)bits;
  return true;
}

static bool sum(struct sl_ptx_parser *p, struct sl_ptx_statement *st, enum sl_ptx_type type)
{
  struct sl_ptx_insn *in = &st->in;
  uint32_t lr = 0, tr = 0, cr = 0;
  if (type != SL_PTX_B32 && type != SL_PTX_B64)
    return sl_ptx_error(p, &st->opcode, "r2.sum needs .b32 or .b64");
  if (!sl_ptx_operands_are(p, st, 6, 6) || !sl_ptx_modifiers_known(p, st) ||
      !sl_ptx_take_destination(p, st, 0, type, true, &in->d) || !number(p, st, 1, -1, SL_PTX_BLOCK_LINEAR - 1, &lr) ||
      !number(p, st, 2, -1, SL_PTX_BLOCK_LINEAR - 1, &tr) || !number(p, st, 3, -1, SL_PTX_LINEAR_CRS - 1, &cr) ||
      !sl_ptx_take_source(p, st, 4, SL_PTX_B64, true, &in->a))
    return false;
  if (st->operands[5].item.kind != SL_PTX_I_NUMBER)
    return sl_ptx_error(p, &st->operands[5].at, "a number is expected here");
  in->target = lr | tr << 8 | cr << 16;
  in->immediate = (int64_t)st->operands[5].item.number.bits;
  in->bytes = (uint8_t)sl_ptx_type_bytes(type);
  return true;
}

bool sl_ptx_form_linear(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  static const char *const modes[] = {
      [SL_PTX_LINEAR_CR] = "cr",       [SL_PTX_LINEAR_TR] = "tr",   [SL_PTX_LINEAR_BR] = "br",
      [SL_PTX_LINEAR_SLICE] = "slice", [SL_PTX_LINEAR_SUM] = "sum", [SL_PTX_LINEAR_END] = "end",
      [SL_PTX_LINEAR_END + 1] = NULL};
  static const uint32_t most[] = {[SL_PTX_LINEAR_CR] = SL_PTX_LINEAR_CRS - 1,
                                  [SL_PTX_LINEAR_TR] = SL_PTX_BLOCK_LINEAR - 1,
                                  [SL_PTX_LINEAR_BR] = SL_PTX_BLOCK_LINEAR,
                                  [SL_PTX_LINEAR_SLICE] = 3};
  struct sl_ptx_insn *in = &st->in;
  const unsigned mode = sl_ptx_modifier_of(st, modes, SL_PTX_LINEAR_END + 1);
  if (mode > SL_PTX_LINEAR_END)
    return sl_ptx_form_row(p, st, unused);
  in->kind = SL_PTX_K_LINEAR;
  in->mode = (uint8_t)mode;
  if (mode == SL_PTX_LINEAR_SUM)
    return sum(p, st, sl_ptx_modifier_type(st));
  if (mode == SL_PTX_LINEAR_END)
    return sl_ptx_operands_are(p, st, 0, 0) && sl_ptx_modifiers_known(p, st);
  return sl_ptx_operands_are(p, st, 2, 2) && sl_ptx_modifiers_known(p, st) &&
         sl_ptx_take_destination(p, st, 0, SL_PTX_B64, true, &in->d) && number(p, st, 1, 0, most[mode], &in->target);
}
