#include "compiler/isa64/mir/mir.h"

#include <string.h>

#include "compiler/isa64/compile_mir.h"

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
