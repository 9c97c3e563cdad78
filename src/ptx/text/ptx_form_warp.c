#include "ptx/text/ptx_form_warp.h"

/* d|p: the second part if present. */
static bool second_part(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  return !st->in.has_e || sl_ptx_destination(p, &st->in, &st->operands[0].second, SL_PTX_PRED, false, &st->in.e);
}

bool sl_ptx_form_shfl(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  struct sl_ptx_insn *in = &st->in;
  struct sl_ptx_place members;
  const bool sync = sl_ptx_modifier(st, "sync");
  in->kind = SL_PTX_K_SHFL;
  in->class = SL_PTX_C_SHFL;
  const unsigned mode = sl_ptx_modifier_of(st, (const char *const[]){"up", "down", "bfly", "idx", NULL}, 4);
  in->mode = (uint8_t)mode;
  in->type = (uint8_t)sl_ptx_modifier_type(st);
  in->has_e = sl_ptx_two_results(st);
  if (mode == 4 || sl_ptx_type_bytes(in->type) != 4)
    return sl_ptx_error(p, &st->opcode, "shfl needs .up, .down, .bfly or .idx, and .b32");
  const unsigned count = sync ? 5 : 4;
  return sl_ptx_operands_are(p, st, count, count) && sl_ptx_modifiers_known(p, st) &&
         sl_ptx_take_destination(p, st, 0, SL_PTX_B32, true, &in->d) && second_part(p, st) &&
         sl_ptx_take_source(p, st, 1, SL_PTX_B32, true, &in->a) &&
         sl_ptx_take_source(p, st, 2, SL_PTX_B32, true, &in->b) &&
         sl_ptx_take_source(p, st, 3, SL_PTX_B32, true, &in->c) &&
         (!sync || sl_ptx_take_source(p, st, 4, SL_PTX_B32, true, &members));
}

bool sl_ptx_form_vote(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  struct sl_ptx_insn *in = &st->in;
  const bool sync = sl_ptx_modifier(st, "sync");
  in->kind = SL_PTX_K_VOTE;
  const unsigned mode = sl_ptx_modifier_of(st, (const char *const[]){"all", "any", "uni", "ballot", NULL}, 4);
  const enum sl_ptx_type type = mode == SL_PTX_VOTE_BALLOT ? SL_PTX_B32 : SL_PTX_PRED;
  in->mode = (uint8_t)mode;
  if (mode == 4 || sl_ptx_modifier_type(st) != type)
    return sl_ptx_error(p, &st->opcode, "vote needs .all, .any or .uni and .pred, or .ballot and .b32");
  const unsigned count = sync ? 3 : 2;
  if (!sl_ptx_operands_are(p, st, count, count) || !sl_ptx_modifiers_known(p, st) ||
      !sl_ptx_take_destination(p, st, 0, type, true, &in->d) ||
      !sl_ptx_take_source(p, st, 1, SL_PTX_PRED, false, &in->c))
    return false;
  in->negated_c = st->operands[1].item.negated;
  if (sync)
    return sl_ptx_take_source(p, st, 2, SL_PTX_B32, true, &in->b);
  in->b = sl_ptx_constant(p, UINT32_MAX, false);
  return !sl_ptx_failed(p);
}

bool sl_ptx_form_match(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  struct sl_ptx_insn *in = &st->in;
  in->kind = SL_PTX_K_MATCH;
  const unsigned mode = sl_ptx_modifier_of(st, (const char *const[]){"any", "all", NULL}, 2);
  in->mode = (uint8_t)mode;
  in->has_e = sl_ptx_two_results(st);
  const bool sync = sl_ptx_modifier(st, "sync");
  in->type = (uint8_t)sl_ptx_modifier_type(st);
  if (!sync || mode == 2 || (in->type != SL_PTX_B32 && in->type != SL_PTX_B64) ||
      (in->has_e && mode == SL_PTX_MATCH_ANY))
    return sl_ptx_error(p, &st->opcode, "match needs .any.sync or .all.sync, and .b32 or .b64");
  const bool sink = in->has_e && st->operands[0].item.kind == SL_PTX_I_SINK;
  return sl_ptx_operands_are(p, st, 3, 3) && sl_ptx_modifiers_known(p, st) &&
         (sink ? sl_ptx_element(p, in, &st->operands[0].item, SL_PTX_B32, true, &in->d)
               : sl_ptx_take_destination(p, st, 0, SL_PTX_B32, true, &in->d)) &&
         second_part(p, st) && sl_ptx_take_source(p, st, 1, in->type, true, &in->a) &&
         sl_ptx_take_source(p, st, 2, SL_PTX_B32, true, &in->b);
}

bool sl_ptx_form_activemask(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  st->in.kind = SL_PTX_K_ACTIVEMASK;
  st->in.bytes = 4;
  if (sl_ptx_modifier_type(st) != SL_PTX_B32)
    return sl_ptx_error(p, &st->opcode, "activemask needs .b32");
  return sl_ptx_operands_are(p, st, 1, 1) && sl_ptx_modifiers_known(p, st) &&
         sl_ptx_take_destination(p, st, 0, SL_PTX_B32, true, &st->in.d);
}

bool sl_ptx_form_bar(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  struct sl_ptx_insn *in = &st->in;
  (void)sl_ptx_modifier(st, "cta");
  (void)sl_ptx_modifier(st, "aligned");
  if (sl_ptx_modifier(st, "warp"))
    return sl_ptx_form_nothing(p, st, unused);
  in->kind = SL_PTX_K_BARRIER;
  in->mode = sl_ptx_modifier(st, "arrive");
  if (!in->mode && !sl_ptx_modifier(st, "sync"))
    return sl_ptx_error(p, &st->opcode, "simtlab supports only barriers with .sync and .arrive");
  if (!sl_ptx_operands_are(p, st, in->mode ? 2 : 1, 2) || !sl_ptx_modifiers_known(p, st) ||
      !sl_ptx_take_source(p, st, 0, SL_PTX_U32, false, &in->a))
    return false;
  if (st->operands[0].item.kind == SL_PTX_I_NUMBER && st->operands[0].item.number.bits > 15)
    return sl_ptx_error(p, &st->operands[0].at, "the number of a barrier must be from 0 to 15");
  in->b = sl_ptx_constant(p, 0, false);
  return st->operand_count == 1 || sl_ptx_take_source(p, st, 1, SL_PTX_U32, false, &in->b);
}

bool sl_ptx_form_nothing(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)p, (void)unused;
  st->in.kind = SL_PTX_K_NOTHING;
  return true;
}
