#include "program/program.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "program/kernels.h"

/* Source lines: the DWARF line tables, flattened into one array sorted by address. */

/* A line-table row. It applies from its address to the next row's. */
struct row {
  uint32_t address;
  unsigned line; /* 0: no source line */
  unsigned column;
  size_t order; /* position in the file: later rows win at one address */
  const char *file;
};

struct sl_lines {
  pthread_mutex_t mutex; /* libdw is not thread-safe and reads on demand */
  bool read;
  Elf *elf;
  Dwarf *dwarf; /* owns the file names */
  struct row *rows;
  size_t count, capacity;
  const char *from, *to; /* a file name that has another one; NULL: none */
};

enum sl_status sl_lines_create(Elf *elf, size_t file_size, struct sl_lines **result, struct sl_error *err)
{
  struct sl_lines *lines = calloc(1, sizeof *lines);
  if (lines == NULL)
    return sl_no_memory(err, sizeof *lines);
  lines->elf = elf;
  /* A row takes at least one byte of the file. Further rows come from units that share a table and add nothing. */
  lines->capacity = file_size;
  pthread_mutex_init(&lines->mutex, NULL);
  *result = lines;
  return SL_OK;
}

void sl_lines_free(struct sl_lines *lines)
{
  if (lines == NULL)
    return;
  dwarf_end(lines->dwarf);
  pthread_mutex_destroy(&lines->mutex);
  free(lines->rows);
  free(lines);
}

/* At one address, the end of a sequence precedes the start of the next. */
static int compare_rows(const void *a, const void *b)
{
  const struct row *x = a, *y = b;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  if ((x->line == 0) != (y->line == 0))
    return x->line == 0 ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static bool make_row(Dwarf_Line *line, struct row *row)
{
  Dwarf_Addr address;
  int number = 0, column = 0;
  bool end = false;
  if (dwarf_lineaddr(line, &address) != 0 || dwarf_lineno(line, &number) != 0 ||
      dwarf_lineendsequence(line, &end) != 0 || dwarf_linecol(line, &column) != 0)
    return false;
  const char *file = end ? NULL : dwarf_linesrc(line, NULL, NULL);
  row->address = (uint32_t)address;
  row->file = file;
  row->line = file == NULL || number < 0 ? 0 : (unsigned)number;
  row->column = column < 0 ? 0 : (unsigned)column;
  return true;
}

static void add_unit(struct sl_lines *lines, Dwarf_Die *unit)
{
  Dwarf_Lines *table;
  size_t count;
  if (dwarf_getsrclines(unit, &table, &count) != 0)
    return;
  for (size_t i = 0; i < count && lines->count < lines->capacity; i++) {
    struct row row = {.order = lines->count};
    if (make_row(dwarf_onesrcline(table, i), &row))
      lines->rows[lines->count++] = row;
  }
}

/* Number of rows of all units, at most the limit set at creation. */
static size_t count_rows(const struct sl_lines *lines)
{
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  size_t sum = 0;
  while (dwarf_get_units(lines->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0 && sum < lines->capacity) {
    Dwarf_Lines *table;
    size_t count;
    if (dwarf_getsrclines(&die, &table, &count) == 0)
      sum += count;
  }
  return sum < lines->capacity ? sum : lines->capacity;
}

/* Without debug information or memory there are no lines. */
static void read_lines(struct sl_lines *lines)
{
  lines->dwarf = dwarf_begin_elf(lines->elf, DWARF_C_READ, NULL);
  if (lines->dwarf == NULL)
    return;
  lines->capacity = count_rows(lines);
  lines->rows = calloc(lines->capacity + 1, sizeof *lines->rows);
  if (lines->rows == NULL)
    return;
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  while (dwarf_get_units(lines->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
    add_unit(lines, &die);
  qsort(lines->rows, lines->count, sizeof *lines->rows, compare_rows);
}

static const struct row *find_row(const struct sl_lines *lines, uint32_t address)
{
  size_t low = 0, high = lines->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (lines->rows[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && lines->rows[low - 1].line != 0 ? &lines->rows[low - 1] : NULL;
}

static void read_once(struct sl_lines *lines)
{
  if (!lines->read)
    read_lines(lines);
  lines->read = true;
}

bool sl_lines_find(struct sl_lines *lines, uint32_t address, const char **file, unsigned *line, unsigned *column)
{
  pthread_mutex_lock(&lines->mutex);
  read_once(lines);
  pthread_mutex_unlock(&lines->mutex);
  const struct row *row = find_row(lines, address);
  if (row == NULL)
    return false;
  *file = lines->from != NULL && strcmp(row->file, lines->from) == 0 ? lines->to : row->file;
  *line = row->line;
  *column = row->column;
  return true;
}

void sl_lines_rename(struct sl_lines *lines, const char *from, const char *to)
{
  lines->from = from;
  lines->to = to;
}

/* ---- inlined functions ------------------------------------------------------------------------------------------- */

static bool unit_at(const struct sl_lines *lines, uint32_t address, Dwarf_Die *unit)
{
  Dwarf_CU *cu = NULL;
  while (dwarf_get_units(lines->dwarf, cu, &cu, NULL, NULL, unit, NULL) == 0)
    if (dwarf_haspc(unit, address) == 1)
      return true;
  return false;
}

static bool number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *value)
{
  Dwarf_Attribute attribute;
  return dwarf_formudata(dwarf_attr(die, name, &attribute), value) == 0;
}

/* Whether a file is the one from which the unit was compiled; the unit's name may lack the folder. */
static bool is_main_file(Dwarf_Die *unit, const char *file)
{
  const char *name = dwarf_diename(unit);
  const size_t length = name != NULL ? strlen(name) : 0, whole = strlen(file);
  return length > 0 && length <= whole && strcmp(file + whole - length, name) == 0 &&
         (length == whole || name[0] == '/' || file[whole - length - 1] == '/');
}

/* Where to look for the call of inlined code: in the unit's own file, or in a file that is not a library's. */
struct wanted_file {
  Dwarf_Die *unit;
  bool (*is_library)(const char *file); /* NULL: the unit's own file */
};

static bool is_wanted(const struct wanted_file *wanted, const char *file)
{
  return wanted->is_library != NULL ? !wanted->is_library(file) : is_main_file(wanted->unit, file);
}

/* Finds, from the innermost scope outwards, the first call of an inlined function in such a file. */
static bool find_call(const struct wanted_file *wanted, uint32_t address, const char **file, unsigned *line)
{
  Dwarf_Die *unit = wanted->unit, *innermost = NULL, *scopes = NULL;
  Dwarf_Files *files;
  bool found = false;
  /* After the innermost scope, this array has the scopes of the function's definition, not of its call. */
  const int some = dwarf_getscopes(unit, address, &innermost);
  const int count = some > 0 ? dwarf_getscopes_die(&innermost[0], &scopes) : 0;
  free(innermost);
  for (int i = 0; i < count && !found && dwarf_getsrcfiles(unit, &files, NULL) == 0; i++) {
    Dwarf_Word in, at;
    if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine || !number_of(&scopes[i], DW_AT_call_file, &in) ||
        !number_of(&scopes[i], DW_AT_call_line, &at))
      continue;
    const char *name = dwarf_filesrc(files, in, NULL, NULL);
    found = name != NULL && is_wanted(wanted, name);
    *file = name;
    *line = (unsigned)at;
  }
  free(scopes);
  return found;
}

bool sl_lines_find_frame(struct sl_lines *lines, uint32_t address, bool (*is_library)(const char *file),
                         const char **file, unsigned *line)
{
  Dwarf_Die unit;
  pthread_mutex_lock(&lines->mutex);
  read_once(lines);
  const struct row *row = find_row(lines, address);
  bool found = row != NULL && !is_library(row->file);
  if (found) {
    *file = row->file;
    *line = row->line;
  } else if (row != NULL && unit_at(lines, address, &unit)) {
    found = find_call(&(struct wanted_file){&unit, is_library}, address, file, line);
  }
  pthread_mutex_unlock(&lines->mutex);
  return found;
}

bool sl_lines_find_call(struct sl_lines *lines, uint32_t address, const char **file, unsigned *line)
{
  const struct row *row;
  Dwarf_Die unit;
  pthread_mutex_lock(&lines->mutex);
  read_once(lines);
  row = find_row(lines, address);
  const bool found = row != NULL && unit_at(lines, address, &unit) && !is_main_file(&unit, row->file) &&
                     find_call(&(struct wanted_file){&unit, NULL}, address, file, line);
  pthread_mutex_unlock(&lines->mutex);
  return found;
}

/* ---- variables in registers -------------------------------------------------------------------------------------- */

static bool is_in_register(Dwarf_Die *variable, uint32_t address, unsigned reg)
{
  Dwarf_Attribute attribute;
  Dwarf_Op *op = NULL;
  size_t size = 0;
  if (dwarf_attr_integrate(variable, DW_AT_location, &attribute) == NULL ||
      dwarf_getlocation_addr(&attribute, address, &op, &size, 1) != 1 || size != 1)
    return false;
  return reg < 32 ? op[0].atom == DW_OP_reg0 + reg : op[0].atom == DW_OP_regx && op[0].number == reg;
}

static const char *find_variable(Dwarf_Die *scope, uint32_t address, unsigned reg)
{
  Dwarf_Die die;
  for (int more = dwarf_child(scope, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    const int tag = dwarf_tag(&die);
    if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && is_in_register(&die, address, reg))
      return dwarf_diename(&die);
  }
  return NULL;
}

const char *sl_lines_find_variable(struct sl_lines *lines, uint32_t address, unsigned reg)
{
  const char *name = NULL;
  Dwarf_Die unit, *scopes = NULL;
  pthread_mutex_lock(&lines->mutex);
  read_once(lines);
  const int count =
      lines->dwarf != NULL && unit_at(lines, address, &unit) ? dwarf_getscopes(&unit, address, &scopes) : 0;
  for (int i = 0; i < count && name == NULL; i++)
    name = find_variable(&scopes[i], address, reg);
  free(scopes);
  pthread_mutex_unlock(&lines->mutex);
  return name;
}

enum { LARGEST_SOURCE = 1 << 24 };

static enum sl_status read_text(struct sl_source *source, const char *path, struct sl_error *err)
{
  struct stat status;
  FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
  if (file == NULL)
    return SL_OK;
  const size_t most = status.st_size < LARGEST_SOURCE ? (size_t)status.st_size : LARGEST_SOURCE;
  source->text = malloc(most + 1);
  if (source->text != NULL)
    source->text[fread(source->text, 1, most, file)] = '\0';
  fclose(file);
  return source->text != NULL ? SL_OK : sl_no_memory(err, most + 1);
}

static size_t count_lines(const char *text)
{
  size_t count = 1;
  for (const char *c = text; *c != '\0'; c++)
    count += *c == '\n';
  return count;
}

/* Splits the text into lines in place. */
static void split(struct sl_source *source)
{
  char *text = source->text;
  while (text != NULL && *text != '\0') {
    char *end = strchr(text, '\n');
    source->line[source->count++] = text;
    text[strcspn(text, "\r\n")] = '\0';
    text = end != NULL ? end + 1 : NULL;
  }
}

static enum sl_status make_lines(struct sl_source *source, struct sl_error *err)
{
  const size_t lines = count_lines(source->text);
  source->line = calloc(lines, sizeof *source->line);
  if (source->line == NULL) {
    sl_source_free(source);
    return sl_no_memory(err, lines * sizeof *source->line);
  }
  split(source);
  return SL_OK;
}

enum sl_status sl_source_read(struct sl_source *source, const char *path, struct sl_error *err)
{
  *source = (struct sl_source){0};
  const enum sl_status code = read_text(source, path, err);
  return source->text != NULL ? make_lines(source, err) : code;
}

enum sl_status sl_source_copy(struct sl_source *source, const char *text, size_t length, struct sl_error *err)
{
  *source = (struct sl_source){.text = malloc(length + 1)};
  if (source->text == NULL)
    return sl_no_memory(err, length + 1);
  memcpy(source->text, text, length);
  source->text[length] = '\0';
  return make_lines(source, err);
}

void sl_source_free(struct sl_source *source)
{
  free(source->text);
  free(source->line);
  *source = (struct sl_source){0};
}

const char *sl_source_line(const struct sl_source *source, unsigned line)
{
  return line > 0 && line <= source->count ? source->line[line - 1] : NULL;
}
