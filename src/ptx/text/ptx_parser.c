#include "ptx/text/ptx_parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sl_ptx_grow(struct sl_ptx_parser *p, void *items, uint32_t *count, uint32_t *room, size_t size, uint32_t more)
{
  if (*count <= *room && more <= *room - *count)
    return true;
  const uint64_t wanted = (uint64_t)*count + more, room_new = wanted + wanted / 2 + 16;
  void *old, *grown;
  memcpy(&old, items, sizeof old);
  grown = room_new < UINT32_MAX ? realloc(old, room_new * size) : NULL;
  if (grown == NULL) {
    if (!sl_ptx_failed(p))
      p->status = sl_no_memory(p->err, (size_t)room_new * size);
    return false;
  }
  memcpy(items, &grown, sizeof grown);
  *room = (uint32_t)room_new;
  return true;
}

bool sl_ptx_error(struct sl_ptx_parser *p, const struct sl_ptx_token *at, const char *format, ...)
{
  char sentence[768];
  va_list arguments;
  if (sl_ptx_failed(p))
    return false;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  p->status = sl_fail(p->err, SL_USAGE, "%.200s:%u:%u: %s", p->module->path, at->line, at->column, sentence);
  return false;
}

void sl_ptx_advance(struct sl_ptx_parser *p)
{
  p->token = sl_ptx_lexer_next(&p->lexer);
}

bool sl_ptx_at(const struct sl_ptx_parser *p, enum sl_ptx_token_kind kind, const char *text)
{
  return !sl_ptx_failed(p) && p->token.kind == kind && sl_ptx_token_is(&p->token, text);
}

bool sl_ptx_take(struct sl_ptx_parser *p, enum sl_ptx_token_kind kind, const char *text)
{
  if (!sl_ptx_at(p, kind, text))
    return false;
  sl_ptx_advance(p);
  return true;
}

bool sl_ptx_expect(struct sl_ptx_parser *p, const char *sign)
{
  if (sl_ptx_take(p, SL_PTX_T_SIGN, sign))
    return true;
  if (p->token.kind == SL_PTX_T_END)
    return sl_ptx_error(p, &p->token, "the text ends where '%s' is expected: the file may be incomplete", sign);
  return sl_ptx_error(p, &p->token, "'%s' is expected here, not '%.*s'", sign, SL_PTX_SHOWN(&p->token));
}

static const struct {
  const char *name;
  enum sl_ptx_type type;
} types[] = {{"pred", SL_PTX_PRED}, {"b8", SL_PTX_B8},   {"b16", SL_PTX_B16}, {"b32", SL_PTX_B32},
             {"b64", SL_PTX_B64},   {"u8", SL_PTX_U8},   {"u16", SL_PTX_U16}, {"u32", SL_PTX_U32},
             {"u64", SL_PTX_U64},   {"s8", SL_PTX_S8},   {"s16", SL_PTX_S16}, {"s32", SL_PTX_S32},
             {"s64", SL_PTX_S64},   {"f16", SL_PTX_F16}, {"f32", SL_PTX_F32}, {"f64", SL_PTX_F64}};

enum sl_ptx_type sl_ptx_type_named(const struct sl_ptx_token *t)
{
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (sl_ptx_token_is(t, types[i].name))
      return types[i].type;
  return SL_PTX_NO_TYPE;
}

const char *sl_ptx_type_name(enum sl_ptx_type type)
{
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].type == type)
      return types[i].name;
  return "none";
}
