/* Symbols: the function that contains an address, and the address of a name. */
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
