#include "ptx/text/ptx_forms.h"

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

/* The variable that the next token names, which must fit the parameter of `f` (NULL: none is known). NULL: an error. */
static struct sl_ptx_symbol *argument_of(struct sl_ptx_parser *p, const struct sl_ptx_function *f,
                                         const struct sl_ptx_param *param)
{
  const struct sl_ptx_token *name = &p->token;
  const uint32_t index = sl_ptx_symbol_find(p, name);
  struct sl_ptx_symbol *s = index != UINT32_MAX ? &p->symbols.items[index] : NULL;
  if (s == NULL || !s->argument)
    sl_ptx_error(p, name, "an argument must be a .param variable, not '%.*s'", SL_PTX_SHOWN(name));
  else if (param != NULL && s->bytes != param->bytes)
    sl_ptx_error(p, name, "'%.*s' has %u bytes, but the parameter of '%.60s' has %u", SL_PTX_SHOWN(name),
                 (unsigned)s->bytes, f->name, param->bytes);
  else
    return s;
  return NULL;
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
    struct sl_ptx_symbol *s = argument_of(p, f, n < count ? &f->params[from + n] : NULL);
    if (s == NULL)
      return false;
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

/* (a, b): variables of the caller that are copied to or from the parameters. `f`: the function, if it is known. */
static bool copy(struct sl_ptx_parser *p, const struct sl_ptx_function *f, unsigned from, unsigned count,
                 uint16_t *copied)
{
  const struct sl_ptx_token open = p->token;
  unsigned n = 0;
  if (!sl_ptx_expect(p, "("))
    return false;
  while (!sl_ptx_at(p, SL_PTX_T_SIGN, ")")) {
    const struct sl_ptx_symbol *s = argument_of(p, f, f != NULL && n < count ? &f->params[from + n] : NULL);
    if (s == NULL)
      return false;
    if (!SL_PTX_MORE(p, p->transfers, 1))
      return false;
    p->transfers.items[p->transfers.count++] = (struct sl_ptx_transfer){(uint32_t)s->address, (uint32_t)s->bytes};
    n++;
    sl_ptx_advance(p);
    if (!sl_ptx_take(p, SL_PTX_T_SIGN, ","))
      break;
  }
  *copied = (uint16_t)n;
  if (!sl_ptx_expect(p, ")"))
    return false;
  return f == NULL || n == count ||
         sl_ptx_error(p, &open, "'%.60s' has %u parameters or results here, not %u", f->name, count, n);
}

static bool give(struct sl_ptx_parser *p, struct sl_ptx_insn *in, const struct sl_ptx_function *f, bool results)
{
  const unsigned from = results ? f->param_count : 0, count = results ? f->result_count : f->param_count;
  return in->mode == SL_PTX_CALL_SHARED ? pass(p, f, from, count)
                                        : copy(p, f, from, count, results ? &in->results : &in->arguments);
}

/* The part after the results: %rd1, (arguments), prototype; the function itself is compared with the arguments. */
static bool call_address(struct sl_ptx_parser *p, struct sl_ptx_insn *in)
{
  struct sl_ptx_item address;
  if (!sl_ptx_register_read(p, &address) || !sl_ptx_source(p, in, &address, SL_PTX_B64, true, &in->a))
    return false;
  while (sl_ptx_take(p, SL_PTX_T_SIGN, ","))
    if (!sl_ptx_at(p, SL_PTX_T_SIGN, "("))
      sl_ptx_advance(p);
    else if (!copy(p, NULL, 0, 0, &in->arguments))
      return false;
  return sl_ptx_expect(p, ";");
}

/* The results come before the name of the function: they are read again when it is known. */
bool sl_ptx_call_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st)
{
  const struct sl_ptx_lexer start = p->lexer;
  const struct sl_ptx_token first = p->token;
  const bool results = sl_ptx_at(p, SL_PTX_T_SIGN, "(");
  struct sl_ptx_insn *in = &st->in;
  (void)sl_ptx_modifier(st, "uni");
  if (!sl_ptx_modifiers_known(p, st))
    return false;
  while (results && p->token.kind != SL_PTX_T_END && !sl_ptx_take(p, SL_PTX_T_SIGN, ")"))
    sl_ptx_advance(p);
  if (results && !sl_ptx_expect(p, ","))
    return false;
  const struct sl_ptx_token name = p->token;
  const uint32_t index = sl_ptx_function_of(p, &name);
  const bool named = index != UINT32_MAX && !p->functions.items[index].entry;
  if (!named && (name.kind != SL_PTX_T_WORD || name.text[0] != '%'))
    return sl_ptx_error(p, &name, "'%.*s' is not a function declared above, or a register with the address of one",
                        SL_PTX_SHOWN(&name));
  const struct sl_ptx_function *f = named ? &p->functions.items[index] : NULL;
  if (named && f->result_count > 0 && !results)
    return sl_ptx_error(p, &name, "'%.60s' has a result: call (result), name, (parameters)", f->name);
  in->kind = SL_PTX_K_CALL;
  in->mode = !named ? SL_PTX_CALL_ADDRESS : p->deep != NULL && p->deep[index] ? SL_PTX_CALL_COPIED : SL_PTX_CALL_SHARED;
  in->function = index; /* its PC is filled in at the end of the module */
  in->immediate = p->transfers.count;
  if (results) {
    p->lexer = start;
    p->token = first;
    if (!(named ? give(p, in, f, true) : copy(p, NULL, 0, 0, &in->results)) || !sl_ptx_expect(p, ","))
      return false;
  }
  if (!named)
    return call_address(p, in);
  sl_ptx_advance(p);
  if (sl_ptx_take(p, SL_PTX_T_SIGN, ",") && !give(p, in, f, false))
    return false;
  return sl_ptx_expect(p, ";");
}
