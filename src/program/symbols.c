/* Symbols: the function that contains an address, and the address of a name. */
#include <ctype.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/kernels.h"

/* A code symbol during construction of the table; `size` is 0 if the file gives none. */
struct label {
  uint32_t address;
  uint32_t size;
  unsigned rank; /* of several at one address the lowest rank wins */
  const char *name;
};

struct labels {
  struct label *label;
  size_t count;
};

/* Whether a symbol is a local assembler label or a mapping symbol, which do not name functions. */
static bool is_private(const char *name)
{
  return name[0] == '\0' || name[0] == '$' || strncmp(name, ".L", 2) == 0;
}

static int compare_labels(const void *a, const void *b)
{
  const struct label *x = a, *y = b;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return strcmp(x->name, y->name);
}

static int compare_symbols(const void *a, const void *b)
{
  const struct sl_symbol *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order != 0 ? order : x->address < y->address ? -1 : x->address > y->address;
}

/* Named functions before labels; global before local symbols. */
static unsigned label_rank(const GElf_Sym *symbol)
{
  unsigned kind = GELF_ST_TYPE(symbol->st_info) == STT_FUNC ? 0 : 2;
  return kind + (GELF_ST_BIND(symbol->st_info) == STB_LOCAL);
}

static void add_symbol(struct sl_program *program, struct labels *labels, const GElf_Sym *symbol, const char *name)
{
  unsigned type = GELF_ST_TYPE(symbol->st_info);
  if (symbol->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_NOTYPE && type != STT_OBJECT) || name == NULL ||
      is_private(name))
    return;
  uint32_t address = (uint32_t)symbol->st_value;
  program->symbols.all[program->symbols.count++] = (struct sl_symbol){address, name};
  if (type != STT_OBJECT && sl_image_code(program, address) != NULL)
    labels->label[labels->count++] = (struct label){address, (uint32_t)symbol->st_size, label_rank(symbol), name};
}

/* The symbol table section and its actual number of symbols; NULL if none is readable. */
static Elf_Data *symbol_table(Elf *elf, size_t *count, size_t *strings)
{
  for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_SYMTAB)
      continue;
    Elf_Data *data = elf_getdata(section, NULL);
    if (data == NULL || data->d_buf == NULL)
      return NULL;
    *count = data->d_size / sizeof(Elf32_Sym);
    *strings = header.sh_link;
    return data;
  }
  return NULL;
}

/* The end address of labels->label[i]: its size if known, else the next label. */
static uint32_t label_end(const struct sl_program *program, const struct labels *labels, size_t i)
{
  const struct label *label = &labels->label[i];
  const struct sl_segment *segment = sl_image_code(program, label->address);
  uint32_t end = segment->address + segment->size;
  if (label->size > 0 && label->size < end - label->address)
    return label->address + label->size;
  if (label->size == 0 && i + 1 < labels->count && labels->label[i + 1].address < end)
    return labels->label[i + 1].address;
  return end;
}

/* Converts sorted labels to functions: one per address; labels inside a function belong to it. */
static void make_functions(struct sl_program *program, const struct labels *labels)
{
  struct sl_symbols *symbols = &program->symbols;
  uint32_t covered = 0;
  for (size_t i = 0; i < labels->count; i++) {
    const struct label *label = &labels->label[i];
    if (symbols->function_count > 0 && label->address < covered)
      continue;
    uint32_t end = label_end(program, labels, i);
    if (end == label->address)
      continue;
    symbols->functions[symbols->function_count++] = (struct sl_function){label->address, end, label->name};
    covered = end;
  }
}

static void read_table(struct sl_program *program, Elf_Data *data, size_t count, size_t strings, struct labels *labels)
{
  for (size_t i = 0; i < count; i++) {
    GElf_Sym symbol;
    if (gelf_getsym(data, (int)i, &symbol) != NULL)
      add_symbol(program, labels, &symbol, elf_strptr(program->elf, strings, symbol.st_name));
  }
  if (labels->count > 0)
    qsort(labels->label, labels->count, sizeof *labels->label, compare_labels);
  if (program->symbols.count > 0)
    qsort(program->symbols.all, program->symbols.count, sizeof *program->symbols.all, compare_symbols);
  make_functions(program, labels);
}

enum sl_status sl_symbols_read(struct sl_program *program, struct sl_error *err)
{
  size_t count = 0, strings = 0;
  Elf_Data *data = symbol_table(program->elf, &count, &strings);
  if (data == NULL || count == 0)
    return SL_OK;
  struct sl_symbols *symbols = &program->symbols;
  struct labels labels = {calloc(count, sizeof *labels.label), 0};
  symbols->functions = calloc(count, sizeof *symbols->functions);
  symbols->all = calloc(count, sizeof *symbols->all);
  bool complete = labels.label != NULL && symbols->functions != NULL && symbols->all != NULL;
  if (complete)
    read_table(program, data, count, strings, &labels);
  free(labels.label);
  return complete ? SL_OK : sl_no_memory(err, count * sizeof *labels.label);
}

void sl_symbols_free(struct sl_symbols *symbols)
{
  free(symbols->functions);
  free(symbols->all);
}

static const struct sl_function *find_function(const struct sl_symbols *symbols, uint32_t address)
{
  size_t low = 0, high = symbols->function_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (symbols->functions[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && address < symbols->functions[low - 1].end ? &symbols->functions[low - 1] : NULL;
}

bool sl_program_function(const struct sl_program *program, uint32_t address, const char **name, uint32_t *end)
{
  const struct sl_function *function = find_function(&program->symbols, address);
  if (function == NULL)
    return false;
  *name = function->name;
  *end = function->end;
  return true;
}

static int compare_name(const void *name, const void *symbol)
{
  return strcmp(name, ((const struct sl_symbol *)symbol)->name);
}

bool sl_program_symbol(const struct sl_program *program, const char *name, uint32_t *address)
{
  const struct sl_symbols *symbols = &program->symbols;
  if (symbols->count == 0)
    return false;
  const struct sl_symbol *found = bsearch(name, symbols->all, symbols->count, sizeof *found, compare_name);
  if (found == NULL)
    return false;
  *address = found->address;
  return true;
}

const char *sl_program_register_variable(const struct sl_program *program, uint32_t address, unsigned reg)
{
  return sl_lines_find_variable(program->lines, address, reg);
}

struct sl_location sl_program_locate(const struct sl_program *program, uint32_t address)
{
  struct sl_location location = {0};
  const struct sl_function *function = find_function(&program->symbols, address);
  if (function != NULL) {
    location.function = function->name;
    location.function_offset = address - function->address;
  }
  sl_lines_find(program->lines, address, &location.file, &location.line, &location.column);
  return location;
}

bool sl_program_call_line(const struct sl_program *program, uint32_t address, const char **file, unsigned *line)
{
  return sl_lines_find_call(program->lines, address, file, line);
}

bool sl_program_frame(const struct sl_program *program, uint32_t address, bool (*is_library)(const char *file),
                      const char **file, unsigned *line)
{
  return sl_lines_find_frame(program->lines, address, is_library, file, line);
}

void sl_program_rename_source(struct sl_program *program, const char *from, const char *to)
{
  sl_lines_rename(program->lines, from, to);
}

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

void sl_location_format(const struct sl_program *program, uint32_t address, char *text, size_t size)
{
  struct sl_location at = sl_program_locate(program, address);
  char function[128] = "", line[160] = "";
  if (at.function != NULL && at.function_offset == 0)
    snprintf(function, sizeof function, "%s", at.function);
  else if (at.function != NULL)
    snprintf(function, sizeof function, "%.100s+0x%" PRIx32, at.function, at.function_offset);
  const char *file;
  unsigned call;
  if (at.file != NULL && sl_lines_find_call(program->lines, address, &file, &call))
    snprintf(line, sizeof line, "%.60s:%u; inlined from %.60s:%u", base_name(file), call, base_name(at.file), at.line);
  else if (at.file != NULL)
    snprintf(line, sizeof line, "%.100s:%u", base_name(at.file), at.line);
  if (at.function != NULL && at.file != NULL)
    snprintf(text, size, "%s (%s)", function, line);
  else if (at.function != NULL || at.file != NULL)
    snprintf(text, size, "%s%s", function, line);
  else
    snprintf(text, size, "no known function");
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

const struct sl_segment *sl_image_code(const struct sl_program *program, uint32_t address)
{
  for (size_t i = 0; i < program->segment_count; i++) {
    const struct sl_segment *segment = &program->segments[i];
    if (segment->executable && address >= segment->address && address - segment->address < segment->size)
      return segment;
  }
  return NULL;
}

/* The bytes of the section and their number; NULL if the image has none. */
static const char *section(const struct sl_program *program, size_t *size)
{
  size_t names;
  if (program->elf == NULL || elf_getshdrstrndx(program->elf, &names) != 0)
    return NULL;
  for (Elf_Scn *s = elf_nextscn(program->elf, NULL); s != NULL; s = elf_nextscn(program->elf, s)) {
    GElf_Shdr header;
    const char *name = gelf_getshdr(s, &header) != NULL ? elf_strptr(program->elf, names, header.sh_name) : NULL;
    if (name == NULL || strcmp(name, ".simt.kernels") != 0)
      continue;
    const Elf_Data *data = elf_rawdata(s, NULL);
    if (data == NULL || data->d_buf == NULL)
      return NULL;
    *size = data->d_size;
    return data->d_buf;
  }
  return NULL;
}

/* Reads the kernel at *at and advances *at; returns false at the end, or if a string is not terminated. */
static bool next_kernel(const char *bytes, size_t size, size_t *at, struct sl_kernel *kernel)
{
  const char *strings[2];
  *at += 4; /* the address, which the symbol table contains, too */
  for (unsigned i = 0; i < 2; i++) {
    const char *end = *at < size ? memchr(bytes + *at, '\0', size - *at) : NULL;
    if (end == NULL)
      return false;
    strings[i] = bytes + *at;
    *at = (size_t)(end - bytes) + 1;
  }
  *kernel = (struct sl_kernel){strings[0], strings[1]};
  return true;
}

size_t sl_program_kernel_count(const struct sl_program *program)
{
  size_t size = 0, at = 0, count = 0;
  const char *bytes = section(program, &size);
  struct sl_kernel kernel;
  while (bytes != NULL && next_kernel(bytes, size, &at, &kernel))
    count++;
  return count;
}

struct sl_kernel sl_program_kernel(const struct sl_program *program, size_t i)
{
  size_t size = 0, at = 0;
  const char *bytes = section(program, &size);
  struct sl_kernel kernel = {"", ""};
  for (size_t k = 0; bytes != NULL && k <= i && next_kernel(bytes, size, &at, &kernel); k++)
    ;
  return kernel;
}

bool sl_program_find_kernel(const struct sl_program *program, const char *name, struct sl_kernel *kernel)
{
  size_t size = 0, at = 0;
  const char *bytes = section(program, &size);
  while (bytes != NULL && next_kernel(bytes, size, &at, kernel))
    if (strcmp(kernel->name, name) == 0)
      return true;
  return false;
}

static bool one_of(const char *type, const char *const *names)
{
  for (; *names != NULL; names++)
    if (strcmp(type, *names) == 0)
      return true;
  return false;
}

/* Normalises a type: no qualifiers, single blanks. */
static void plain_type(const char *type, char *plain, size_t size)
{
  size_t n = 0;
  for (const char *at = type; *at != '\0';) {
    const size_t blanks = strspn(at, " \t\n"), length = strcspn(at + blanks, " \t\n");
    char word[48];
    snprintf(word, sizeof word, "%.*s", (int)length, at + blanks);
    at += blanks + length;
    if (length > 0 && strcmp(word, "const") != 0 && strcmp(word, "volatile") != 0 && n < size)
      n += (size_t)snprintf(plain + n, size - n, "%s%s", n > 0 ? " " : "", word);
  }
  if (n == 0)
    plain[0] = '\0';
}

static void classify(struct sl_parameter *p)
{
  static const char *const words[] = {"int",      "unsigned",  "unsigned int", "long",          "unsigned long",
                                      "int32_t",  "uint32_t",  "size_t",       "ptrdiff_t",     "signed",
                                      "intptr_t", "uintptr_t", "long int",     "long unsigned", NULL};
  static const char *const halves[] = {"short", "unsigned short", "int16_t", "uint16_t", "short int", NULL};
  static const char *const bytes[] = {"char",    "unsigned char", "signed char", "int8_t",
                                      "uint8_t", "bool",          "_Bool",       NULL};
  static const char *const doubles[] = {"long long", "unsigned long long", "int64_t", "uint64_t", NULL};
  char plain[48];
  plain_type(p->type, plain, sizeof plain);
  p->kind = SL_PARAMETER_INTEGER;
  if (strchr(p->type, '*') != NULL || strchr(p->type, '[') != NULL) {
    p->kind = SL_PARAMETER_POINTER;
    p->size = 4;
  } else if (strcmp(plain, "float") == 0) {
    p->kind = SL_PARAMETER_FLOAT;
    p->size = 4;
  } else if (one_of(plain, words) || one_of(plain, halves) || one_of(plain, bytes) || one_of(plain, doubles))
    p->size = one_of(plain, words) ? 4 : one_of(plain, halves) ? 2 : one_of(plain, bytes) ? 1 : 8;
  else
    p->kind = SL_PARAMETER_OTHER;
}

/* Parses "(int *, a)" without the parentheses: the text before the last comma is the type. */
static struct sl_parameter parameter_of(const char *text, size_t length)
{
  struct sl_parameter p = {.kind = SL_PARAMETER_OTHER};
  size_t comma = length;
  while (comma > 0 && text[comma - 1] != ',')
    comma--;
  const char *name = text + comma;
  size_t name_length = length - comma, type_length = comma > 0 ? comma - 1 : 0;
  while (name_length > 0 && isspace((unsigned char)*name)) {
    name++;
    name_length--;
  }
  while (name_length > 0 && isspace((unsigned char)name[name_length - 1]))
    name_length--;
  snprintf(p.name, sizeof p.name, "%.*s", (int)name_length, name);
  snprintf(p.type, sizeof p.type, "%.*s", (int)type_length, text);
  classify(&p);
  return p;
}

size_t sl_kernel_parameters(const struct sl_kernel *kernel, struct sl_parameter *parameter, size_t most)
{
  size_t count = 0;
  unsigned depth = 0;
  const char *first = kernel->parameters;
  for (const char *at = kernel->parameters; *at != '\0'; at++) {
    if (*at == '(' && depth++ == 0)
      first = at + 1;
    if (*at == ')' && depth > 0 && --depth == 0) {
      if (count < most)
        parameter[count] = parameter_of(first, (size_t)(at - first));
      count++;
    }
  }
  return count;
}
