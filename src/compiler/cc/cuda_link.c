#include "compiler/cc/compile_cuda.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
