#include "compiler/isa64/mir/mir.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "compiler/isa64/compile_mir.h"

static void free_function(struct sl_mir_function *f)
{
  free(f->name);
  free(f->section);
  free(f->refusal);
  free(f->insn);
  free(f->operand);
  free(f->block);
  free(f->edge);
  free(f->stack);
  free(f->fixed);
  for (size_t i = 0; i < f->constant_count; i++)
    free(f->constant[i].bytes);
  free(f->constant);
  free(f->table);
  free(f->target);
}

void sl_mir_free(struct sl_mir_module *module)
{
  for (size_t i = 0; i < module->function_count; i++)
    free_function(&module->function[i]);
  for (size_t i = 0; i < module->text_count; i++)
    free(module->text[i]);
  for (size_t i = 0; i < module->file_count; i++)
    free(module->file[i]);
  free(module->function);
  free(module->text);
  free(module->text_hash);
  free(module->file);
  *module = (struct sl_mir_module){0};
}

/* FNV-1a, 32 bits. */
static size_t hash_of(const char *text, size_t length)
{
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (uint8_t)text[i]) * 16777619u;
  return hash;
}

/* Returns the place of a text, or the free place for it. */
static uint32_t *place_of(struct sl_mir_module *m, const char *text, size_t length)
{
  for (size_t i = hash_of(text, length);; i++) {
    uint32_t *place = &m->text_hash[i & (m->text_places - 1)];
    if (*place == 0 || (strncmp(m->text[*place - 1], text, length) == 0 && m->text[*place - 1][length] == '\0'))
      return place;
  }
}

/* Keeps half of the places free, so that searches are short. */
static bool more_places(struct sl_mir_module *m)
{
  if (m->text_count * 2 < m->text_places)
    return true;
  const size_t places = m->text_places == 0 ? 64 : m->text_places * 2;
  uint32_t *hash = calloc(places, sizeof *hash);
  if (hash == NULL)
    return false;
  free(m->text_hash);
  m->text_hash = hash;
  m->text_places = places;
  for (size_t i = 0; i < m->text_count; i++)
    *place_of(m, m->text[i], strlen(m->text[i])) = (uint32_t)i + 1;
  return true;
}

uint32_t sl_mir_text(struct sl_mir_module *m, const char *text, size_t length)
{
  if (!more_places(m))
    return UINT32_MAX;
  uint32_t *place = place_of(m, text, length);
  if (*place != 0)
    return *place - 1;
  char *copy = strndup(text, length);
  if (copy == NULL || !SL_GROW(m->text, m->text_count)) {
    free(copy);
    return UINT32_MAX;
  }
  m->text[m->text_count] = copy;
  *place = (uint32_t)++m->text_count;
  return *place - 1;
}

/* Records the reason why a function cannot be compiled. */

enum sl_status sl_mir_refuse(struct sl_mir_parser *parser, const char *format, ...)
{
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return sl_fail(parser->err, SL_USAGE, "%s", text);
}

static const struct {
  const char *name;
  uint8_t shape;
  uint16_t op;
} rows[SL_MIR_OP_COUNT] = {
#define OPCODE(name, shape, op) {#name, SL_SHAPE_##shape, SL_OP_##op},
#include "compiler/isa64/mir/mir_opcodes.def"
#undef OPCODE
};

/* A linear search over some hundred rows; the first letter excludes most of them. */
enum sl_mir_opcode sl_mir_opcode(const char *name, size_t length)
{
  for (unsigned i = 0; i < SL_MIR_OP_COUNT; i++)
    if (rows[i].name[0] == name[0] && strncmp(rows[i].name, name, length) == 0 && rows[i].name[length] == '\0')
      return (enum sl_mir_opcode)i;
  return SL_MIR_OP_COUNT;
}

enum sl_mir_shape sl_mir_shape(unsigned opcode)
{
  return (enum sl_mir_shape)rows[opcode].shape;
}

enum sl_op sl_mir_op(unsigned opcode)
{
  return (enum sl_op)rows[opcode].op;
}

const char *sl_mir_opcode_name(unsigned opcode)
{
  return rows[opcode].name;
}

unsigned sl_mir_ordering(unsigned opcode)
{
  const char *name = rows[opcode].name;
  const size_t n = strlen(name);
  const bool release = n > 3 && strcmp(name + n - 3, "_RL") == 0;
  return (strstr(name, "_AQ") != NULL ? 2u : 0u) | (release ? 1u : 0u);
}

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
