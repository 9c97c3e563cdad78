#include "ptx/text/ptx_form_control.h"

#include <string.h>

uint32_t sl_ptx_label_of(struct sl_ptx_parser *p, const struct sl_ptx_token *name)
{
  for (uint32_t i = 0; i < p->labels.count; i++)
    if (sl_ptx_same(&p->labels.items[i].name, name))
      return i;
  if (!SL_PTX_MORE(p, p->labels, 1))
    return UINT32_MAX;
  p->labels.items[p->labels.count] = (struct sl_ptx_label){.name = *name};
  return p->labels.count++;
}

uint32_t sl_ptx_function_of(const struct sl_ptx_parser *p, const struct sl_ptx_token *name)
{
  for (uint32_t i = 0; i < p->functions.count; i++)
    if (sl_ptx_token_is(name, p->functions.items[i].name))
      return i;
  return UINT32_MAX;
}

bool sl_ptx_form_bra(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  (void)sl_ptx_modifier(st, "uni");
  st->in.kind = SL_PTX_K_BRANCH;
  if (!sl_ptx_operands_are(p, st, 1, 1) || !sl_ptx_modifiers_known(p, st))
    return false;
  const struct sl_ptx_operand *o = &st->operands[0];
  if (o->vector || o->address || o->item.kind != SL_PTX_I_NAME)
    return sl_ptx_error(p, &o->at, "bra needs a label");
  st->in.target = sl_ptx_label_of(p, &o->item.at); /* its PC is filled in at the end of the function */
  return !sl_ptx_failed(p);
}

bool sl_ptx_form_end(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned kind)
{
  (void)sl_ptx_modifier(st, "uni");
  st->in.kind = (uint8_t)kind;
  return sl_ptx_operands_are(p, st, 0, 0) && sl_ptx_modifiers_known(p, st);
}

/* (a, b): each is a variable of the caller, which shares the place of the function's parameter. */
static bool pass(struct sl_ptx_parser *p, const struct sl_ptx_function *f, unsigned from, unsigned count)
{
  unsigned n = 0;
  const struct sl_ptx_token open = p->token;
  if (!sl_ptx_expect(p, "("))
    return false;
  while (!sl_ptx_at(p, SL_PTX_T_SIGN, ")")) {
    const struct sl_ptx_token name = p->token;
    const uint32_t index = sl_ptx_symbol_find(p, &name);
    if (index == UINT32_MAX || !p->symbols.items[index].argument)
      return sl_ptx_error(p, &name, "an argument must be a .param variable, not '%.*s'", SL_PTX_SHOWN(&name));
    struct sl_ptx_symbol *s = &p->symbols.items[index];
    if (n < count && s->bytes != f->params[from + n].bytes)
      return sl_ptx_error(p, &name, "'%.*s' has %u bytes, but the parameter of '%.60s' has %u", SL_PTX_SHOWN(&name),
                          (unsigned)s->bytes, f->name, f->params[from + n].bytes);
    if (s->passed)
      return sl_ptx_error(p, &name, "'%.*s' is passed twice, which simtlab does not support", SL_PTX_SHOWN(&name));
    s->passed = true;
    if (n < count)
      s->address = f->params[from + n].offset;
    n++;
    sl_ptx_advance(p);
    if (!sl_ptx_take(p, SL_PTX_T_SIGN, ","))
      break;
  }
  if (!sl_ptx_expect(p, ")"))
    return false;
  return n == count || sl_ptx_error(p, &open, "'%.60s' has %u parameters or results here, not %u", f->name, count, n);
}

/* The results come before the name of the function: they are read again when it is known. */
bool sl_ptx_call_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  const struct sl_ptx_lexer start = p->lexer;
  const struct sl_ptx_token first = p->token;
  const bool results = sl_ptx_at(p, SL_PTX_T_SIGN, "(");
  (void)sl_ptx_modifier(st, "uni");
  if (!sl_ptx_modifiers_known(p, st))
    return false;
  while (results && p->token.kind != SL_PTX_T_END && !sl_ptx_take(p, SL_PTX_T_SIGN, ")"))
    sl_ptx_advance(p);
  if (results && !sl_ptx_expect(p, ","))
    return false;
  const struct sl_ptx_token name = p->token;
  const uint32_t index = sl_ptx_function_of(p, &name);
  if (index == UINT32_MAX || p->functions.items[index].entry)
    return sl_ptx_error(p, &name, "'%.*s' is not a function declared above; simtlab does not support indirect calls",
                        SL_PTX_SHOWN(&name));
  const struct sl_ptx_function *f = &p->functions.items[index];
  if (f->result_count > 0 && !results)
    return sl_ptx_error(p, &name, "'%.60s' has a result: call (result), name, (parameters)", f->name);
  if (results) {
    p->lexer = start;
    p->token = first;
    if (!pass(p, f, f->param_count, f->result_count) || !sl_ptx_expect(p, ","))
      return false;
  }
  sl_ptx_advance(p);
  st->in.kind = SL_PTX_K_CALL;
  st->in.target = index; /* its PC is filled in at the end of the module */
  if (sl_ptx_take(p, SL_PTX_T_SIGN, ",") && !pass(p, f, 0, f->param_count))
    return false;
  return sl_ptx_expect(p, ";");
}
