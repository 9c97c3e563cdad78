#include "compiler/isa64/mir/mir_lexer.h"

#include <ctype.h>
#include <string.h>

static bool is_name(char c)
{
  return isalnum((unsigned char)c) || c == '.' || c == '_' || c == '-' || c == '$';
}

static void skip_blanks(struct sl_mir_lexer *lexer)
{
  for (;;) {
    while (lexer->at < lexer->end && isspace((unsigned char)*lexer->at))
      lexer->at++;
    if (lexer->end - lexer->at < 2 || memcmp(lexer->at, "/*", 2) != 0)
      return;
    lexer->at += 2;
    while (lexer->at < lexer->end && !(lexer->at[-1] == '/' && lexer->at[-2] == '*'))
      lexer->at++;
  }
}

/* Makes a token of the text from start to the lexer's position. */
static void token(struct sl_mir_lexer *lexer, enum sl_mir_token_kind kind, const char *start)
{
  lexer->token = (struct sl_mir_token){.kind = kind, .start = start, .length = (size_t)(lexer->at - start)};
}

/* Reads quoted text; the position is at the opening quote. */
static void quoted(struct sl_mir_lexer *lexer, enum sl_mir_token_kind kind)
{
  const char *start = ++lexer->at;
  while (lexer->at < lexer->end && *lexer->at != '"')
    lexer->at++;
  token(lexer, lexer->at < lexer->end ? kind : SL_TOKEN_NONE, start);
  if (lexer->at < lexer->end)
    lexer->at++;
}

static void name(struct sl_mir_lexer *lexer, enum sl_mir_token_kind kind, const char *start)
{
  while (lexer->at < lexer->end && is_name(*lexer->at))
    lexer->at++;
  token(lexer, kind, start);
}

/* Reads !12 or !Name(...), whose parentheses may be nested and contain quoted text. */
static void metadata(struct sl_mir_lexer *lexer, const char *start)
{
  name(lexer, SL_TOKEN_EXCLAIM, start);
  if (lexer->at == lexer->end || *lexer->at != '(')
    return;
  unsigned depth = 0;
  bool in_quotes = false;
  for (; lexer->at < lexer->end; lexer->at++) {
    if (*lexer->at == '"')
      in_quotes = !in_quotes;
    depth += !in_quotes && *lexer->at == '(';
    if (!in_quotes && *lexer->at == ')' && --depth == 0)
      break;
  }
  if (lexer->at < lexer->end)
    lexer->at++;
  token(lexer, depth == 0 ? SL_TOKEN_EXCLAIM : SL_TOKEN_NONE, start);
}

static unsigned digit_of(char c)
{
  return isdigit((unsigned char)c) ? (unsigned)(c - '0') : (unsigned)(tolower((unsigned char)c) - 'a') + 10;
}

/* Wraps around like the 64-bit numbers that LLVM prints. */
static void number(struct sl_mir_lexer *lexer, const char *start)
{
  const bool negative = *start == '-';
  lexer->at = start + negative;
  unsigned base = 10;
  if (lexer->end - lexer->at > 2 && lexer->at[0] == '0' && lexer->at[1] == 'x') {
    base = 16;
    lexer->at += 2;
  }
  uint64_t value = 0;
  while (lexer->at < lexer->end &&
         (base == 16 ? isxdigit((unsigned char)*lexer->at) : isdigit((unsigned char)*lexer->at)))
    value = value * base + digit_of(*lexer->at++);
  token(lexer, lexer->at < lexer->end && is_name(*lexer->at) ? SL_TOKEN_NONE : SL_TOKEN_NUMBER, start);
  lexer->token.number = (int64_t)(negative ? 0 - value : value);
}

void sl_mir_next(struct sl_mir_lexer *lexer)
{
  skip_blanks(lexer);
  const char *start = lexer->at;
  if (start == lexer->end) {
    token(lexer, SL_TOKEN_END, start);
    return;
  }
  const char c = *start;
  const bool more = lexer->end - start > 1;
  if (isdigit((unsigned char)c) || (c == '-' && more && isdigit((unsigned char)start[1]))) {
    number(lexer, start);
    return;
  }
  if (c == '"') {
    quoted(lexer, SL_TOKEN_STRING);
    return;
  }
  if (isalpha((unsigned char)c) || c == '_') {
    name(lexer, SL_TOKEN_WORD, start);
    return;
  }
  static const char signs[] = "%$@&!";
  const char *sign = strchr(signs, c);
  if (sign != NULL && more) {
    static const enum sl_mir_token_kind kinds[] = {SL_TOKEN_PERCENT, SL_TOKEN_DOLLAR, SL_TOKEN_AT, SL_TOKEN_AND,
                                                   SL_TOKEN_EXCLAIM};
    const enum sl_mir_token_kind kind = kinds[sign - signs];
    lexer->at++;
    if (kind == SL_TOKEN_EXCLAIM)
      metadata(lexer, lexer->at);
    else if (*lexer->at == '"')
      quoted(lexer, kind);
    else
      name(lexer, kind, lexer->at);
    return;
  }
  lexer->at += c == ':' && more && start[1] == ':' ? 2 : 1;
  token(lexer, strchr(",=()[]:+-<>", c) != NULL ? SL_TOKEN_SIGN : SL_TOKEN_NONE, start);
}

struct sl_mir_lexer sl_mir_lexer(const char *line, size_t length)
{
  struct sl_mir_lexer lexer = {.at = line, .end = line + length};
  sl_mir_next(&lexer);
  return lexer;
}

bool sl_mir_is(const struct sl_mir_lexer *lexer, const char *text)
{
  const struct sl_mir_token *token = &lexer->token;
  return (token->kind == SL_TOKEN_WORD || token->kind == SL_TOKEN_SIGN) && token->length == strlen(text) &&
         memcmp(token->start, text, token->length) == 0;
}

bool sl_mir_accept(struct sl_mir_lexer *lexer, const char *text)
{
  const bool is = sl_mir_is(lexer, text);
  if (is)
    sl_mir_next(lexer);
  return is;
}

size_t sl_mir_unescape(char *text, size_t length)
{
  size_t n = 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\\' && i + 1 < length && text[i + 1] == '\\') {
      text[n++] = text[i++];
    } else if (text[i] == '\\' && i + 2 < length && isxdigit((unsigned char)text[i + 1]) &&
               isxdigit((unsigned char)text[i + 2])) {
      text[n++] = (char)(digit_of(text[i + 1]) * 16 + digit_of(text[i + 2]));
      i += 2;
    } else {
      text[n++] = text[i];
    }
  }
  return n;
}

bool sl_mir_digits(const char *text, size_t length, uint32_t *number)
{
  uint32_t value = 0;
  for (size_t i = 0; i < length; i++) {
    if (!isdigit((unsigned char)text[i]) || value > (UINT32_MAX / 2 - 9) / 10)
      return false;
    value = value * 10 + (uint32_t)(text[i] - '0');
  }
  *number = value;
  return length > 0;
}
