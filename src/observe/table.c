#include "observe/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void sl_table_init(struct sl_table *table, const char *const *titles)
{
  *table = (struct sl_table){0};
  while (titles[table->columns] != NULL && table->columns < SL_TABLE_COLUMNS) {
    table->titles[table->columns] = titles[table->columns];
    table->columns++;
  }
}

void sl_table_free(struct sl_table *table)
{
  free(table->cells);
  *table = (struct sl_table){0};
}

static bool grow(struct sl_table *table)
{
  size_t capacity = table->capacity == 0 ? 64 : 2 * table->capacity;
  char(*cells)[SL_TABLE_CELL] = realloc(table->cells, capacity * sizeof *cells);
  if (cells == NULL) {
    table->incomplete = true;
    return false;
  }
  table->cells = cells;
  table->capacity = capacity;
  return true;
}

void sl_table_cell(struct sl_table *table, const char *format, ...)
{
  if (table->count == table->capacity && !grow(table))
    return;
  va_list args;
  va_start(args, format);
  vsnprintf(table->cells[table->count++], SL_TABLE_CELL, format, args);
  va_end(args);
}

static bool is_right(const struct sl_table *table, size_t column)
{
  return table->titles[column][0] == '>';
}

static const char *title(const struct sl_table *table, size_t column)
{
  return table->titles[column] + is_right(table, column);
}

static int column_width(const struct sl_table *table, size_t column)
{
  size_t width = strlen(title(table, column));
  for (size_t i = column; i < table->count; i += table->columns) {
    size_t length = strlen(table->cells[i]);
    width = length > width ? length : width;
  }
  return (int)width;
}

/* The last column on the left side is not padded, so that no line ends in blanks. */
static bool print_cell(const struct sl_table *table, size_t column, int width, const char *text, FILE *file)
{
  bool last = column + 1 == table->columns;
  int n;
  if (is_right(table, column))
    n = fprintf(file, "%*s%s", width, text, last ? "\n" : "  ");
  else
    n = last ? fprintf(file, "%s\n", text) : fprintf(file, "%-*s  ", width, text);
  return n >= 0;
}

bool sl_table_print(const struct sl_table *table, FILE *file)
{
  int width[SL_TABLE_COLUMNS];
  bool ok = !table->incomplete;
  for (size_t c = 0; c < table->columns; c++)
    width[c] = column_width(table, c);
  for (size_t c = 0; c < table->columns; c++)
    ok = print_cell(table, c, width[c], title(table, c), file) && ok;
  for (size_t i = 0; i < table->count; i++)
    ok = print_cell(table, i % table->columns, width[i % table->columns], table->cells[i], file) && ok;
  return ok;
}

const char *sl_grouped(uint64_t value, char text[32])
{
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
  char *out = text;
  for (int i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0)
      *out++ = ',';
    *out++ = digits[i];
  }
  *out = '\0';
  return text;
}
