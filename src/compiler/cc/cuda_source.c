#include "compiler/cc/compile.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/types.h"

/* Returns the position after a comment, a string or a character that begins at `i`; `i` if none does. */
static size_t skip_quoted(const char *text, size_t i, size_t length)
{
  const char *end = NULL;
  if (text[i] == '/' && text[i + 1] == '/')
    end = strchr(text + i, '\n');
  else if (text[i] == '/' && text[i + 1] == '*')
    end = (end = strstr(text + i + 2, "*/")) != NULL ? end + 2 : NULL;
  else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !isalnum((unsigned char)text[i - 1])))) {
    size_t j = i + 1;
    while (j < length && text[j] != text[i] && text[j] != '\n')
      j += text[j] == '\\' ? 2 : 1;
    return j < length ? j + 1 : length;
  } else
    return i;
  return end != NULL ? (size_t)(end - text) : length;
}

/* Returns the position after three equal brackets with blanks between them; 0 if they are not there. */
static size_t three(const char *text, size_t i, char bracket)
{
  for (int n = 0; n < 3; n++) {
    while (n > 0 && isspace((unsigned char)text[i]))
      i++;
    if (text[i++] != bracket)
      return 0;
  }
  return i;
}

/* Moves three brackets to the front of a range and its blanks behind them. */
static bool join(char *text, size_t from, size_t to)
{
  const char bracket = text[from];
  bool changed = to - from != 3;
  size_t out = to;
  for (size_t i = to; i-- > from;)
    if (text[i] != bracket)
      text[--out] = text[i];
  memset(text + from, bracket, 3);
  return changed;
}

static bool of_operator(const char *text, size_t i)
{
  static const char word[] = "operator";
  while (i > 0 && isspace((unsigned char)text[i - 1]))
    i--;
  return i >= sizeof word - 1 && memcmp(text + i - (sizeof word - 1), word, sizeof word - 1) == 0;
}

/* Joins the closing brackets of a launch whose configuration begins at `i`. */
static bool join_closing(char *text, size_t i, size_t length)
{
  int depth = 0;
  while (i < length) {
    const size_t after = skip_quoted(text, i, length);
    const size_t end = depth == 0 && text[i] == '>' ? three(text, i, '>') : 0;
    size_t next = end;
    while (end != 0 && isspace((unsigned char)text[next]))
      next++;
    if (end != 0 && text[next] == '(')
      return join(text, i, end);
    if (text[i] == ';' && depth == 0)
      return false;
    depth += strchr("([{", text[i]) != NULL ? 1 : strchr(")]}", text[i]) != NULL ? -1 : 0;
    if (depth < 0)
      return false;
    i = after > i ? after : i + 1;
  }
  return false;
}

bool sl_cuda_join_launches(char *text, size_t length)
{
  bool changed = false;
  for (size_t i = 0; i < length;) {
    const size_t after = skip_quoted(text, i, length), end = text[i] == '<' ? three(text, i, '<') : 0;
    if (end != 0 && !of_operator(text, i)) {
      changed |= join(text, i, end);
      changed |= join_closing(text, end, length);
      i = end;
    } else
      i = after > i ? after : i + 1;
  }
  return changed;
}

/* ---- inline assembly --------------------------------------------------------------------------------------------- */

static bool is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* Returns the position of the bracket after asm and its qualifiers at `i`; 0 if there is none. */
static size_t open_asm(const char *text, size_t i)
{
  static const char *const words[] = {"asm", "__asm__", "__asm", "volatile", "__volatile__"};
  enum { NAMES = 3, WORDS = sizeof words / sizeof *words };
  if (i > 0 && is_word(text[i - 1]))
    return 0;
  for (size_t seen = 0;; seen++) {
    size_t length = 0, k = 0;
    while (is_word(text[i + length]))
      length++;
    while (k < WORDS && (strlen(words[k]) != length || memcmp(text + i, words[k], length) != 0))
      k++;
    if (length == 0)
      return seen > 0 && text[i] == '(' ? i : 0;
    if (k == WORDS || (seen == 0) != (k < NAMES))
      return 0;
    i += length;
    while (isspace((unsigned char)text[i]))
      i++;
  }
}

/* Returns the position of the colon behind the template of an asm statement; 0: it has no operands. */
static size_t end_of_template(const char *text, size_t open, size_t length)
{
  int depth = 1;
  for (size_t i = open + 1; i < length && depth > 0;) {
    const size_t after = skip_quoted(text, i, length);
    if (after == i && depth == 1 && text[i] == ':')
      return i;
    if (after == i)
      depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    i = after > i ? after : i + 1;
  }
  return 0;
}

/* Copies a template with doubled percent signs before names. Returns the end of the copy. */
static char *copy_template(char *to, const char *text, size_t from, size_t end)
{
  for (size_t i = from; i < end; i++) {
    *to++ = text[i];
    if (text[i] == '%' && (text[i + 1] == '%' || text[i + 1] == '[')) {
      *to++ = text[++i];
    } else if (text[i] == '%' && isalpha((unsigned char)text[i + 1]))
      *to++ = '%';
  }
  return to;
}

bool sl_cuda_escape_asm(char **text, size_t *length)
{
  const char *from = *text;
  char *copy = strstr(from, "asm") != NULL ? malloc(2 * *length + 1) : NULL, *to = copy;
  if (copy == NULL)
    return false;
  for (size_t i = 0; i < *length;) {
    const size_t after = skip_quoted(from, i, *length), open = after == i ? open_asm(from, i) : 0;
    const size_t end = open != 0 ? end_of_template(from, open, *length) : 0;
    if (end != 0)
      to = copy_template(to, from, i, end);
    else
      to = (char *)memcpy(to, from + i, (after > i ? after : i + 1) - i) + ((after > i ? after : i + 1) - i);
    i = end != 0 ? end : after > i ? after : i + 1;
  }
  *to = '\0';
  const bool changed = (size_t)(to - copy) != *length;
  free(changed ? *text : copy);
  *text = changed ? copy : *text;
  *length = changed ? (size_t)(to - copy) : *length;
  return changed;
}

char *sl_cuda_read(const char *path, size_t *length, struct sl_error *err)
{
  FILE *file = fopen(path, "rb");
  size_t capacity = 1 << 16, n;
  char *text = file != NULL ? malloc(capacity) : NULL;
  if (file == NULL) {
    sl_fail(err, SL_USAGE, "%.300s cannot be read (%s)", path, strerror(errno));
    return NULL;
  }
  *length = 0;
  while (text != NULL && (n = fread(text + *length, 1, capacity - *length - 1, file)) > 0) {
    *length += n;
    if (*length + 1 < capacity)
      continue;
    char *grown = realloc(text, capacity *= 2);
    if (grown == NULL)
      free(text);
    text = grown;
  }
  const bool broken = ferror(file) != 0;
  fclose(file);
  if (text == NULL)
    sl_no_memory(err, capacity);
  else if (broken) {
    sl_fail(err, SL_USAGE, "%.300s cannot be read (%s)", path, strerror(EIO));
    free(text);
    return NULL;
  } else
    text[*length] = '\0';
  return text;
}

void sl_cuda_image_header(unsigned char header[SL_CUDA_HEADER], uint64_t length, uint64_t flags)
{
  for (int i = 0; i < 8; i++) {
    header[i] = (unsigned char)SL_CUDA_MAGIC[i];
    header[8 + i] = (unsigned char)(length >> 8 * i);
    header[16 + i] = (unsigned char)(flags >> 8 * i);
  }
}

/* ---- accesses that the checker sees ------------------------------------------------------------------------------ */

enum { ALLOCAS = 512, NAME = 64, ROOM = 400 };

/* A variable in local memory. */
struct alloca {
  const char *name; /* "%5" */
  size_t name_length;
  uint64_t count; /* elements of an array; 0: it is none */
  uint64_t bytes; /* of an element, or 1 if it is no number */
};

struct function {
  struct alloca alloca[ALLOCAS];
  unsigned allocas;
  bool debug;  /* its calls need places */
  bool stores; /* the block has stored outside of the variables */
};

/* A store at the end of a block is not moved over this. LLVM's InstCombine and MergedLoadStoreMotion move others. */
static const char fence[] = "  call void asm sideeffect \"\", \"~{memory}\"()\n";

/* The store faults, and the compiler cannot remove it. */
static const char bounds[] = "\ndefine internal void @simtlab.bounds(i64 %index, i64 %count, i64 %bytes) alwaysinline "
                             "nounwind sanitize_hwaddress {\n"
                             "  %in = icmp ult i64 %index, %count\n"
                             "  br i1 %in, label %done, label %out\n"
                             "out:\n"
                             "  %offset = mul i64 %index, %bytes\n"
                             "  %at = add i64 %offset, 16777216\n" /* SL_OUTSIDE_ARRAY */
                             "  %to = inttoptr i64 %at to ptr addrspace(5)\n"
                             "  store volatile i8 0, ptr addrspace(5) %to\n"
                             "  br label %done\n"
                             "done:\n"
                             "  ret void\n"
                             "}\n";

static size_t value_length(const char *value)
{
  return 1 + strspn(value + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._$-");
}

static const struct alloca *find_alloca(const struct function *f, const char *name)
{
  const size_t length = *name == '%' ? value_length(name) : 0;
  for (unsigned i = 0; i < f->allocas; i++)
    if (f->alloca[i].name_length == length && strncmp(f->alloca[i].name, name, length) == 0)
      return &f->alloca[i];
  return NULL;
}

/* "i32], ..." or "ptr], ..." */
static uint64_t element_bytes(const char *type)
{
  if (*type == 'i')
    return strtoul(type + 1, NULL, 10) >= 8 ? strtoul(type + 1, NULL, 10) / 8 : 1;
  return strncmp(type, "float]", 6) == 0                                     ? 4
         : strncmp(type, "double]", 7) == 0 || strncmp(type, "ptr]", 4) == 0 ? 8
                                                                             : 1;
}

/* "  %5 = alloca [8 x i32], align 4" */
static void note_alloca(struct function *f, const char *line)
{
  static const char word[] = " = alloca ";
  if (strncmp(line, "  %", 3) != 0 || f->allocas == ALLOCAS)
    return;
  const size_t length = value_length(line + 2);
  const char *type = line + 2 + length;
  if (strncmp(type, word, sizeof word - 1) != 0)
    return;
  type += sizeof word - 1;
  char *after = NULL;
  const uint64_t count = *type == '[' ? strtoull(type + 1, &after, 10) : 0;
  f->alloca[f->allocas++] = (struct alloca){line + 2, length, count,
                                            count > 0 && strncmp(after, " x ", 3) == 0 ? element_bytes(after + 3) : 1};
}

/* The pointer of a load or store: what follows the last "ptr ". NULL: the line is neither. */
static const char *pointer_of(const char *line, bool *store)
{
  static const char load[] = " = load ";
  const char *value = strncmp(line, "  %", 3) == 0 ? line + 2 + value_length(line + 2) : NULL;
  *store = strncmp(line, "  store ", 8) == 0;
  if (!*store && (value == NULL || strncmp(value, load, sizeof load - 1) != 0))
    return NULL;
  const char *end = strchr(line, '\n'), *found = NULL;
  for (const char *at = line; (at = strstr(at, ", ptr ")) != NULL && at < end; at++)
    found = at + 6;
  return found;
}

/* Whether the value is the pointer of a load or store in the rest of its block. */
static bool is_accessed(const char *value, const char *line)
{
  const size_t length = value_length(value);
  for (bool store; line != NULL && strncmp(line, "  ", 2) == 0; line = strchr(line, '\n'), line += line != NULL) {
    const char *pointer = pointer_of(line, &store);
    if (pointer != NULL && strncmp(pointer, value, length) == 0 && value_length(pointer) == length)
      return true;
  }
  return false;
}

/* "  %19 = getelementptr inbounds [8 x i32], ptr %5, i64 0, i64 %18, !dbg !29": writes a call that compares the index.
 * The address just behind the array may be formed. */
static size_t write_bounds(const struct function *f, const char *line, const char *next, char *to)
{
  static const char word[] = " = getelementptr inbounds [", zero[] = ", i64 0, i64 %";
  if (strncmp(line, "  %", 3) != 0)
    return 0;
  const char *type = line + 2 + value_length(line + 2);
  if (strncmp(type, word, sizeof word - 1) != 0)
    return 0;
  const char *base = strstr(type, ", ptr %"), *debug = strstr(type, ", !dbg !");
  const struct alloca *array = base != NULL && base < next ? find_alloca(f, base + 6) : NULL;
  if (array == NULL || array->count == 0 || strtoull(type + sizeof word - 1, NULL, 10) != array->count)
    return 0;
  const char *index = base + 6 + array->name_length;
  if (strncmp(index, zero, sizeof zero - 1) != 0)
    return 0;
  index += sizeof zero - 2;
  const size_t length = value_length(index), place = debug != NULL && debug < next ? (size_t)(next - 1 - debug) : 0;
  if (length > NAME || place > NAME || (place == 0 && f->debug))
    return 0;
  const uint64_t count = array->count + (is_accessed(line + 2, next) ? 0 : 1);
  return (size_t)snprintf(to, ROOM, "  call void @simtlab.bounds(i64 %.*s, i64 %llu, i64 %llu)%.*s\n", (int)length,
                          index, (unsigned long long)count, (unsigned long long)array->bytes, (int)place,
                          place > 0 ? debug : "");
}

/* Notes what the line does, and writes what comes before it. */
static size_t write_before(struct function *f, const char *line, const char *next, char *to)
{
  bool store;
  if (strncmp(line, "define ", 7) == 0) {
    const char *debug = strstr(line, " !dbg ");
    *f = (struct function){.debug = debug != NULL && debug < next};
    return 0;
  }
  if (*line != ' ') /* a label */
    f->stores = false;
  note_alloca(f, line);
  const char *pointer = pointer_of(line, &store);
  f->stores |= store && (pointer == NULL || find_alloca(f, pointer) == NULL);
  if (f->stores && (strncmp(line, "  br label ", 11) == 0 || strncmp(line, "  ret ", 6) == 0))
    return strlen(strcpy(to, fence));
  return write_bounds(f, line, next, to);
}

char *sl_keep_accesses(const char *ir, size_t *length)
{
  size_t room = 2 * *length + sizeof bounds + ROOM, done = 0;
  char *text = malloc(room);
  struct function *f = calloc(1, sizeof *f);
  for (const char *line = ir; *line != '\0' && text != NULL && f != NULL;) {
    const char *end = strchr(line, '\n'), *next = end != NULL ? end + 1 : line + strlen(line);
    const size_t bytes = (size_t)(next - line);
    if (room - done < bytes + sizeof bounds + ROOM) {
      char *grown = realloc(text, room = 2 * room + bytes);
      if (grown == NULL)
        free(text);
      text = grown;
    }
    if (text == NULL)
      break;
    done += write_before(f, line, next, text + done);
    memcpy(text + done, line, bytes);
    done += bytes;
    line = next;
  }
  free(f);
  if (text == NULL)
    return NULL;
  memcpy(text + done, bounds, sizeof bounds);
  *length = done + sizeof bounds - 1;
  return text;
}

/* ---- functions that a module calls but does not define ----------------------------------------------------------- */

/* Whether the runtime or the host performs calls of this function. */
static bool is_service(const char *name, size_t length)
{
  static const char *const services[] = {"vprintf", "malloc", "free", "__assertfail", "cudaDeviceSynchronize"};
  for (size_t i = 0; i < sizeof services / sizeof *services; i++)
    if (strlen(services[i]) == length && strncmp(name, services[i], length) == 0)
      return true;
  return false;
}

/* Reads the name after a directive of PTX such as ".extern .func (.param .b32 r) name". Returns its length. */
static size_t function_name(const char **text)
{
  const char *p = *text + strspn(*text, " \t");
  if (*p == '(')
    p += strcspn(p, ")") + 1;
  p += strspn(p, " \t");
  *text = p;
  return strcspn(p, " \t\r\n(;");
}

enum sl_status sl_cuda_check_defined(const char *source, const char *ptx, struct sl_error *err)
{
  static const char declared[] = "\n.extern .func";
  for (const char *p = ptx; (p = strstr(p, declared)) != NULL;) {
    p += sizeof declared - 1;
    const size_t length = function_name(&p);
    if (!is_service(p, length))
      return sl_fail(err, SL_CHECK_FAILED,
                     "%.200s: the device function %.*s is called but not defined; define it in this file, or compile "
                     "with -rdc=true if another file has it",
                     source, (int)(length < 200 ? length : 200), p);
  }
  return SL_OK;
}

/* The name in the declaration of a variable: the last word before an initial value, the brackets or the end. */
static size_t variable_name(const char **text)
{
  const char *p = *text;
  size_t length = 0;
  while (*p != '\0' && *p != ';' && *p != '[' && *p != '=' && *p != '\n') {
    p += strspn(p, " \t");
    const size_t word = strcspn(p, " \t\r\n;[=");
    if (word > 0) {
      *text = p;
      length = word;
    }
    p += word;
  }
  return length;
}

/* A function or variable that other files can name. */
struct symbol {
  const char *name;
  size_t length;
  bool function, defined;
};

struct symbols {
  struct symbol *symbol;
  size_t count, room;
};

/* Reads a line that declares a symbol. Source: PTX ISA, "Linking Directives". */
static bool read_symbol(const char *line, struct symbol *symbol)
{
  static const char *const linking[] = {".extern ", ".visible ", ".weak ", ".common "};
  size_t i = 0;
  while (i < sizeof linking / sizeof *linking && strncmp(line, linking[i], strlen(linking[i])) != 0)
    i++;
  if (i == sizeof linking / sizeof *linking)
    return false;
  const char *kind = line + strlen(linking[i]);
  symbol->function = strncmp(kind, ".func", 5) == 0;
  symbol->defined = i != 0;
  symbol->name = kind + strcspn(kind, " \t\r\n(");
  if (!symbol->function && strncmp(kind, ".global", 7) != 0 && strncmp(kind, ".const", 6) != 0)
    return false;
  symbol->length = symbol->function ? function_name(&symbol->name) : variable_name(&symbol->name);
  return symbol->length > 0;
}

static bool add_symbols(struct symbols *all, const char *text)
{
  for (const char *line = text; line != NULL && *line != '\0';) {
    struct symbol symbol;
    if (read_symbol(line, &symbol)) {
      if (all->count == all->room) {
        const size_t room = all->room != 0 ? 2 * all->room : 64;
        struct symbol *grown = realloc(all->symbol, room * sizeof *grown);
        if (grown == NULL)
          return false;
        all->symbol = grown;
        all->room = room;
      }
      all->symbol[all->count++] = symbol;
    }
    line = strchr(line, '\n');
    line += line != NULL ? 1 : 0;
  }
  return true;
}

/* By name, and definitions first. */
static int compare_symbols(const void *a, const void *b)
{
  const struct symbol *one = a, *two = b;
  const size_t length = one->length < two->length ? one->length : two->length;
  const int order = memcmp(one->name, two->name, length);
  if (order != 0)
    return order;
  if (one->length != two->length)
    return one->length < two->length ? -1 : 1;
  return (int)two->defined - (int)one->defined;
}

static enum sl_status find_undefined(struct symbols *all, const char *program, struct sl_error *err)
{
  if (all->count > 0)
    qsort(all->symbol, all->count, sizeof *all->symbol, compare_symbols);
  for (size_t i = 0; i < all->count; i++) {
    const struct symbol *s = &all->symbol[i], *before = i > 0 ? s - 1 : NULL;
    const bool known = before != NULL && before->length == s->length && memcmp(before->name, s->name, s->length) == 0;
    if (!s->defined && !known && !is_service(s->name, s->length))
      return sl_fail(err, SL_CHECK_FAILED,
                     "%.200s: no file of the program defines the device %s %.*s, which one of them declares as extern",
                     program, s->function ? "function" : "variable", (int)(s->length < 200 ? s->length : 200), s->name);
  }
  return SL_OK;
}

static uint64_t word_at(const char *bytes)
{
  uint64_t word = 0;
  for (int i = 0; i < 8; i++)
    word |= (uint64_t)(unsigned char)bytes[i] << 8 * i;
  return word;
}

/* The next image of a file; NULL: none. */
static const char *find_image(const char *from, const char *end)
{
  const size_t length = strlen(SL_CUDA_MAGIC);
  while ((from = memchr(from, SL_CUDA_MAGIC[0], (size_t)(end - from))) != NULL) {
    if ((size_t)(end - from) > length && memcmp(from, SL_CUDA_MAGIC, length) == 0)
      return from;
    from++;
  }
  return NULL;
}

enum sl_status sl_cuda_check_linked(const char *path, const char *name, struct sl_error *err)
{
  size_t size;
  struct symbols all = {.symbol = NULL};
  bool enough = true;
  char *file = sl_cuda_read(path, &size, err);
  if (file == NULL)
    return SL_USAGE;
  const char *const end = file + size;
  for (const char *at = file; (at = find_image(at, end)) != NULL;) {
    const size_t room = (size_t)(end - at);
    const uint64_t length = room > SL_CUDA_HEADER ? word_at(at + 8) : room;
    const bool whole = room > SL_CUDA_HEADER && length < room - SL_CUDA_HEADER && at[SL_CUDA_HEADER + length] == '\0';
    if (whole && (word_at(at + 16) & SL_CUDA_SEPARATE) != 0)
      enough &= add_symbols(&all, at + SL_CUDA_HEADER);
    at += strlen(SL_CUDA_MAGIC);
  }
  const enum sl_status code = enough ? find_undefined(&all, name, err) : sl_no_memory(err, size);
  free(all.symbol);
  free(file);
  return code;
}
