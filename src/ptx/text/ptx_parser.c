#include "ptx/text/ptx_parser.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sl_ptx_lexer_init(struct sl_ptx_lexer *x, const char *text, size_t length)
{
  *x = (struct sl_ptx_lexer){.at = text, .end = text + length, .line_start = text, .line = 1};
}

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

static bool starts(const struct sl_ptx_lexer *x, const char *two)
{
  return x->end - x->at >= 2 && x->at[0] == two[0] && x->at[1] == two[1];
}

static void step(struct sl_ptx_lexer *x)
{
  if (*x->at++ == '\n') {
    x->line++;
    x->line_start = x->at;
  }
}

/* Skips the rest of the line. */
static void sl_ptx_lexer_skip_line(struct sl_ptx_lexer *x)
{
  while (x->at < x->end && *x->at != '\n')
    x->at++;
}

static void skip_blanks(struct sl_ptx_lexer *x)
{
  for (;;) {
    while (x->at < x->end && strchr(" \t\r\n\f\v", *x->at) != NULL && *x->at != '\0')
      step(x);
    if (starts(x, "//"))
      sl_ptx_lexer_skip_line(x);
    else if (starts(x, "/*")) {
      while (x->at < x->end && !starts(x, "*/"))
        step(x);
      x->at += x->end - x->at >= 2 ? 2 : x->end - x->at;
    } else
      return;
  }
}

static void take_words(struct sl_ptx_lexer *x)
{
  while (x->at < x->end && is_word(*x->at))
    x->at++;
}

static void take_number(struct sl_ptx_lexer *x)
{
  take_words(x);
  if (x->end - x->at >= 2 && x->at[0] == '.' && is_digit(x->at[1])) {
    x->at++;
    take_words(x);
  }
  if (x->at < x->end && (*x->at == '-' || *x->at == '+') && (x->at[-1] == 'e' || x->at[-1] == 'E')) {
    x->at++;
    take_words(x);
  }
}

/* The next token. An unterminated comment consumes the rest of the text. */
static struct sl_ptx_token sl_ptx_lexer_next(struct sl_ptx_lexer *x)
{
  skip_blanks(x);
  struct sl_ptx_token t = {.text = x->at, .line = x->line, .column = (uint32_t)(x->at - x->line_start) + 1};
  if (x->at >= x->end)
    return t;
  if (is_digit(*x->at)) {
    t.kind = SL_PTX_T_NUMBER;
    take_number(x);
  } else if (is_word(*x->at)) {
    t.kind = SL_PTX_T_WORD;
    take_words(x);
  } else if (*x->at == '.' && x->end - x->at >= 2 && is_word(x->at[1])) {
    t.kind = SL_PTX_T_DOT;
    t.text = ++x->at;
    take_words(x);
    while (x->end - x->at > 2 && starts(x, "::") && is_word(x->at[2])) { /* .L1::evict_last */
      x->at += 2;
      take_words(x);
    }
  } else if (*x->at == '"') {
    t.kind = SL_PTX_T_STRING;
    t.text = ++x->at;
    while (x->at < x->end && *x->at != '"' && *x->at != '\n')
      x->at++;
    t.length = (size_t)(x->at - t.text);
    if (x->at < x->end && *x->at == '"')
      x->at++;
    return t;
  } else {
    t.kind = SL_PTX_T_SIGN;
    step(x);
  }
  t.length = (size_t)(x->at - t.text);
  return t;
}

bool sl_ptx_token_is(const struct sl_ptx_token *t, const char *text)
{
  return t->length == strlen(text) && memcmp(t->text, text, t->length) == 0;
}

static struct sl_ptx_number real(double value)
{
  struct sl_ptx_number n = {.ok = true, .real = true};
  memcpy(&n.bits, &value, sizeof n.bits);
  return n;
}

struct sl_ptx_number sl_ptx_token_number(const struct sl_ptx_token *t)
{
  char text[64], *end = text;
  struct sl_ptx_number n = {0};
  if (t->kind != SL_PTX_T_NUMBER || t->length >= sizeof text)
    return n;
  memcpy(text, t->text, t->length);
  text[t->length] = '\0';
  const char letter = text[0] == '0' ? text[1] : '\0';
  const bool hex_float = letter == 'f' || letter == 'F' || letter == 'd' || letter == 'D';
  if (hex_float) {
    n.real = true;
    n.single = letter == 'f' || letter == 'F';
    n.bits = strtoull(text + 2, &end, 16);
    n.ok = *end == '\0' && t->length == (n.single ? 10 : 18);
    return n;
  }
  const bool hex = letter == 'x' || letter == 'X';
  if (!hex && strpbrk(text, ".eE") != NULL) {
    n = real(strtod(text, &end));
    n.ok = *end == '\0';
    return n;
  }
  if (t->length > 1 && (text[t->length - 1] == 'U' || text[t->length - 1] == 'u'))
    text[t->length - 1] = '\0';
  errno = 0;
  if (letter == 'b' || letter == 'B')
    n.bits = strtoull(text + 2, &end, 2);
  else
    n.bits = strtoull(text, &end, hex ? 16 : letter != '\0' ? 8 : 10);
  n.ok = *end == '\0' && end != text && errno == 0; /* at most 64 bits */
  return n;
}

char *sl_ptx_token_copy(struct sl_ptx_parser *p, const struct sl_ptx_token *t)
{
  char *copy = malloc(t->length + 1);
  if (copy == NULL) {
    p->status = sl_no_memory(p->err, t->length);
    return NULL;
  }
  memcpy(copy, t->text, t->length);
  copy[t->length] = '\0';
  return copy;
}

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
} types[] = {{"pred", SL_PTX_PRED}, {"b8", SL_PTX_B8},       {"b16", SL_PTX_B16},      {"b32", SL_PTX_B32},
             {"b64", SL_PTX_B64},   {"u8", SL_PTX_U8},       {"u16", SL_PTX_U16},      {"u32", SL_PTX_U32},
             {"u64", SL_PTX_U64},   {"s8", SL_PTX_S8},       {"s16", SL_PTX_S16},      {"s32", SL_PTX_S32},
             {"s64", SL_PTX_S64},   {"f16", SL_PTX_F16},     {"f32", SL_PTX_F32},      {"f64", SL_PTX_F64},
             {"bf16", SL_PTX_BF16}, {"f16x2", SL_PTX_F16X2}, {"bf16x2", SL_PTX_BF16X2}};

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
