#include "ptx/text/ptx_statement.h"

bool sl_ptx_opcode_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  if (p->token.kind != SL_PTX_T_WORD)
    return sl_ptx_error(p, &p->token, "an instruction is expected here, not '%.*s'", SL_PTX_SHOWN(&p->token));
  st->opcode = p->token;
  sl_ptx_advance(p);
  while (p->token.kind == SL_PTX_T_DOT) {
    if (st->modifier_count == SL_PTX_MODIFIERS)
      return sl_ptx_error(p, &p->token, "an instruction has at most %d modifiers", SL_PTX_MODIFIERS);
    st->modifiers[st->modifier_count++] = p->token;
    sl_ptx_advance(p);
  }
  return true;
}

bool sl_ptx_operands_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  if (sl_ptx_take(p, SL_PTX_T_SIGN, ";"))
    return true;
  do {
    if (st->operand_count == SL_PTX_OPERANDS)
      return sl_ptx_error(p, &p->token, "an instruction has at most %d operands", SL_PTX_OPERANDS);
    if (!sl_ptx_operand_read(p, &st->operands[st->operand_count++]))
      return false;
  } while (sl_ptx_take(p, SL_PTX_T_SIGN, ","));
  return sl_ptx_expect(p, ";");
}

bool sl_ptx_modifier(struct sl_ptx_statement *st, const char *name)
{
  for (unsigned i = 0; i < st->modifier_count; i++)
    if (!st->taken[i] && sl_ptx_token_is(&st->modifiers[i], name))
      return st->taken[i] = true;
  return false;
}

unsigned sl_ptx_modifier_of(struct sl_ptx_statement *st, const char *const *names, unsigned otherwise)
{
  for (unsigned i = 0; names[i] != NULL; i++)
    if (sl_ptx_modifier(st, names[i]))
      return i;
  return otherwise;
}

enum sl_ptx_type sl_ptx_type_at(const struct sl_ptx_statement *st)
{
  for (unsigned i = 0; i < st->modifier_count; i++)
    if (!st->taken[i] && sl_ptx_type_named(&st->modifiers[i]) != SL_PTX_NO_TYPE)
      return sl_ptx_type_named(&st->modifiers[i]);
  return SL_PTX_NO_TYPE;
}

enum sl_ptx_type sl_ptx_modifier_type(struct sl_ptx_statement *st)
{
  for (unsigned i = 0; i < st->modifier_count; i++) {
    const enum sl_ptx_type type = sl_ptx_type_named(&st->modifiers[i]);
    if (!st->taken[i] && type != SL_PTX_NO_TYPE) {
      st->taken[i] = true;
      return type;
    }
  }
  return SL_PTX_NO_TYPE;
}

bool sl_ptx_operands_are(struct sl_ptx_parser *p, const struct sl_ptx_statement *st, unsigned least, unsigned most)
{
  if (st->operand_count >= least && st->operand_count <= most)
    return true;
  if (least == most)
    return sl_ptx_error(p, &st->opcode, "'%.*s' takes %u operands here, not %u", SL_PTX_SHOWN(&st->opcode), least,
                        st->operand_count);
  return sl_ptx_error(p, &st->opcode, "'%.*s' takes %u to %u operands here, not %u", SL_PTX_SHOWN(&st->opcode), least,
                      most, st->operand_count);
}

bool sl_ptx_modifiers_known(struct sl_ptx_parser *p, const struct sl_ptx_statement *st)
{
  for (unsigned i = 0; i < st->modifier_count; i++)
    if (!st->taken[i])
      return sl_ptx_error(p, &st->modifiers[i], "simtlab does not support '%.*s' with the modifier .%.*s",
                          SL_PTX_SHOWN(&st->opcode), SL_PTX_SHOWN(&st->modifiers[i]));
  return true;
}

bool sl_ptx_two_results(struct sl_ptx_statement *st)
{
  struct sl_ptx_item *second = &st->operands[0].second;
  if (second->kind == SL_PTX_I_SINK)
    second->kind = SL_PTX_I_NONE;
  return second->kind == SL_PTX_I_REGISTER;
}

static bool plain(struct sl_ptx_parser *p, const struct sl_ptx_operand *o)
{
  if (o->vector || o->address)
    return sl_ptx_error(p, &o->at, "%s is not allowed as an operand here",
                        o->vector ? "a vector" : "an address in brackets");
  if (o->offset != 0 && o->item.kind != SL_PTX_I_SYMBOL)
    return sl_ptx_error(p, &o->at, "an offset can only be added to a variable's address");
  return true;
}

bool sl_ptx_take_source(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand, enum sl_ptx_type type,
                        bool loose, struct sl_ptx_place *place)
{
  const struct sl_ptx_operand *o = &st->operands[operand];
  if (!plain(p, o))
    return false;
  if (o->second.kind != SL_PTX_I_NONE || (o->item.negated && type != SL_PTX_PRED))
    return sl_ptx_error(p, &o->at, "'%s' is not allowed in this operand", o->item.negated ? "!" : "|");
  if (o->item.kind == SL_PTX_I_SYMBOL && o->offset != 0 && sl_ptx_type_bytes(type) >= 4) {
    *place = sl_ptx_symbol_place(p, o->item.index, o->offset, sl_ptx_type_bytes(type) == 8, false);
    return !sl_ptx_failed(p);
  }
  return sl_ptx_source(p, &st->in, &o->item, type, loose, place);
}

bool sl_ptx_take_destination(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand,
                             enum sl_ptx_type type, bool loose, struct sl_ptx_place *place)
{
  const struct sl_ptx_operand *o = &st->operands[operand];
  if (!plain(p, o))
    return false;
  if (o->second.kind != SL_PTX_I_NONE && !st->in.has_e)
    return sl_ptx_error(p, &o->second.at, "the result must have one part here");
  return sl_ptx_destination(p, &st->in, &o->item, type, loose, place);
}
