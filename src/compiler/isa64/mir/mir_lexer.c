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

/* ---- the module's LLVM IR ---------------------------------------------------------------------------------------- */

/* A scope is in a function, a file, or another scope; the limit ends cycles in invalid input. */
enum { MOST_SCOPES = 200 };

static int compare_names(const char *a, size_t a_length, const char *b, size_t b_length)
{
  const size_t shorter = a_length < b_length ? a_length : b_length;
  const int order = memcmp(a, b, shorter);
  return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int compare_symbols(const void *a, const void *b)
{
  const struct sl_mir_text_line *x = a, *y = b;
  return compare_names(x->name, x->name_length, y->name, y->name_length);
}

/* Adds the symbol of a line "@name = ..." or "define ... @name(...". */
static bool add_symbol(struct sl_mir_ir *ir, const char *line, size_t length)
{
  const char *at = memchr(line, '@', length);
  if (at == NULL)
    return true;
  const struct sl_mir_lexer lexer = sl_mir_lexer(at, (size_t)(line + length - at));
  if (lexer.token.kind != SL_TOKEN_AT)
    return true;
  if (!SL_GROW(ir->symbol, ir->symbol_count))
    return false;
  ir->symbol[ir->symbol_count++] = (struct sl_mir_text_line){
      .start = line, .length = length, .name = lexer.token.start, .name_length = lexer.token.length};
  return true;
}

/* Adds the node of a line "!12 = ...". */
static bool add_node(struct sl_mir_ir *ir, const char *line, size_t length, size_t most)
{
  const char *equals = memchr(line, '=', length);
  uint32_t number;
  if (equals == NULL || equals - line < 3 || !sl_mir_digits(line + 1, (size_t)(equals - line) - 2, &number) ||
      number > most)
    return true;
  const size_t before = ir->node_room;
  if (!sl_make_room((void **)&ir->node, &ir->node_room, number + 1, sizeof *ir->node))
    return false;
  if (ir->node_room > before)
    memset(ir->node + before, 0, (ir->node_room - before) * sizeof *ir->node);
  ir->node[number].start = equals + 1;
  ir->node[number].length = (size_t)(line + length - equals) - 1;
  ir->node_count = number >= ir->node_count ? number + 1 : ir->node_count;
  return true;
}

enum sl_status sl_mir_ir_read(const char *text, size_t size, struct sl_mir_ir *ir, struct sl_error *err)
{
  bool room = true;
  for (const char *line = text, *end = text + size; room && line < end;) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const size_t length = (size_t)((newline != NULL ? newline : end) - line);
    if (length > 1 &&
        (line[0] == '@' || (length > 8 && (memcmp(line, "define ", 7) == 0 || memcmp(line, "declare ", 8) == 0))))
      room = add_symbol(ir, line, length);
    else if (length > 1 && line[0] == '!')
      room = add_node(ir, line, length, size);
    line += length + 1;
  }
  if (ir->symbol_count > 0)
    qsort(ir->symbol, ir->symbol_count, sizeof *ir->symbol, compare_symbols);
  ir->file = sl_zeroed(ir->node_count, sizeof *ir->file);
  return room && ir->file != NULL ? SL_OK : sl_no_memory(err, size);
}

void sl_mir_ir_free(struct sl_mir_ir *ir)
{
  free(ir->symbol);
  free(ir->node);
  free(ir->file);
  *ir = (struct sl_mir_ir){0};
}

const struct sl_mir_text_line *sl_mir_ir_symbol(const struct sl_mir_ir *ir, const char *name, size_t length)
{
  size_t low = 0, high = ir->symbol_count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const int order = compare_names(ir->symbol[middle].name, ir->symbol[middle].name_length, name, length);
    if (order == 0)
      return &ir->symbol[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

/* Keywords follow a variable's name and precede a function's; both end at the first parenthesis or brace. */
bool sl_mir_ir_says(const struct sl_mir_text_line *line, const char *word)
{
  struct sl_mir_lexer lexer = sl_mir_lexer(line->start, line->length);
  while (lexer.token.kind != SL_TOKEN_END && !sl_mir_is(&lexer, "(") && !sl_mir_is(&lexer, "[")) {
    if (sl_mir_is(&lexer, word))
      return true;
    sl_mir_next(&lexer);
  }
  return false;
}

struct sl_mir_token sl_mir_ir_section(const struct sl_mir_text_line *line)
{
  struct sl_mir_lexer lexer = sl_mir_lexer(line->start, line->length);
  while (lexer.token.kind != SL_TOKEN_END && !sl_mir_is(&lexer, "section"))
    sl_mir_next(&lexer);
  if (sl_mir_is(&lexer, "section"))
    sl_mir_next(&lexer);
  return lexer.token.kind == SL_TOKEN_STRING ? lexer.token : (struct sl_mir_token){.kind = SL_TOKEN_END};
}

/* Returns the token after "field:" of a node; kind END if there is none. */
static struct sl_mir_token field(const char *text, size_t length, const char *name)
{
  struct sl_mir_lexer lexer = sl_mir_lexer(text, length);
  bool here = false;
  while (lexer.token.kind != SL_TOKEN_END) {
    here = sl_mir_is(&lexer, name);
    sl_mir_next(&lexer);
    if (here && sl_mir_accept(&lexer, ":"))
      break;
  }
  return lexer.token;
}

/* Returns the text in a node's parentheses: "12", or the node itself. Length 0: not found. */
static struct sl_mir_text_line inside(const struct sl_mir_ir *ir, const struct sl_mir_token *token)
{
  const char *text = token->start;
  size_t length = token->length;
  uint32_t number;
  if (token->kind == SL_TOKEN_EXCLAIM && sl_mir_digits(text, length, &number)) {
    if (number >= ir->node_count || ir->node[number].start == NULL)
      return (struct sl_mir_text_line){.length = 0};
    text = ir->node[number].start;
    length = ir->node[number].length;
  }
  const char *open = token->kind == SL_TOKEN_EXCLAIM ? memchr(text, '(', length) : NULL;
  if (open == NULL || length < 2)
    return (struct sl_mir_text_line){.length = 0};
  return (struct sl_mir_text_line){.start = open + 1, .length = (size_t)(text + length - open) - 1};
}

static bool new_file(struct sl_mir_module *module, const struct sl_mir_token *folder, const struct sl_mir_token *name,
                     uint32_t *file)
{
  const bool whole = name->start[0] == '/' || folder->kind != SL_TOKEN_STRING || folder->length == 0;
  char *path = malloc(folder->length + name->length + 2);
  if (path == NULL)
    return false;
  size_t length = 0;
  if (!whole) {
    memcpy(path, folder->start, folder->length);
    length = folder->length;
    path[length++] = '/';
  }
  memcpy(path + length, name->start, name->length);
  length = sl_mir_unescape(path, length + name->length);
  path[length] = '\0';
  for (size_t i = 0; i < module->file_count; i++)
    if (strcmp(module->file[i], path) == 0) {
      free(path);
      *file = (uint32_t)i;
      return true;
    }
  if (!SL_GROW(module->file, module->file_count)) {
    free(path);
    return false;
  }
  *file = (uint32_t)module->file_count;
  module->file[module->file_count++] = path;
  return true;
}

/* Returns the file of a DIFile. */
static bool file_of(struct sl_mir_ir *ir, struct sl_mir_module *module, const struct sl_mir_token *node, uint32_t *file,
                    bool *known)
{
  uint32_t number;
  *known =
      node->kind == SL_TOKEN_EXCLAIM && sl_mir_digits(node->start, node->length, &number) && number < ir->node_count;
  if (!*known)
    return true;
  if (ir->file[number] == 0) {
    const struct sl_mir_text_line text = inside(ir, node);
    const struct sl_mir_token name = field(text.start, text.length, "filename");
    const struct sl_mir_token folder = field(text.start, text.length, "directory");
    *known = name.kind == SL_TOKEN_STRING && name.length > 0;
    if (!*known)
      return true;
    if (!new_file(module, &folder, &name, file))
      return false;
    ir->file[number] = *file + 1;
  }
  *file = ir->file[number] - 1;
  return true;
}

bool sl_mir_ir_location(struct sl_mir_ir *ir, struct sl_mir_module *module, const struct sl_mir_token *location,
                        uint32_t *file, uint32_t *line, uint32_t *column)
{
  *line = *column = 0;
  struct sl_mir_text_line text = inside(ir, location);
  const struct sl_mir_token number = field(text.start, text.length, "line");
  const struct sl_mir_token place = field(text.start, text.length, "column");
  for (unsigned i = 0; i < MOST_SCOPES && text.length > 0; i++) {
    const struct sl_mir_token node = field(text.start, text.length, "file");
    bool known;
    if (!file_of(ir, module, &node, file, &known))
      return false;
    if (known && number.kind == SL_TOKEN_NUMBER) {
      *line = (uint32_t)number.number;
      *column = place.kind == SL_TOKEN_NUMBER ? (uint32_t)place.number : 0;
      return true;
    }
    const struct sl_mir_token scope = field(text.start, text.length, "scope");
    text = inside(ir, &scope);
  }
  return true;
}
