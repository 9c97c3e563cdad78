#include "observe/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "observe/terminal.h"
#include "observe/wrapped_text.h"

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

static size_t column_width(const struct sl_table *table, size_t column)
{
  size_t width = sl_text_columns(title(table, column));
  for (size_t i = column; i < table->count; i += table->columns) {
    const size_t length = sl_text_columns(table->cells[i]);
    width = length > width ? length : width;
  }
  return width;
}

/* Columns that are printed side by side: the first, and some after it. */
struct block {
  size_t from, to;
  size_t last_at; /* where the last of them begins */
  const size_t *width;
  size_t columns; /* of a line */
};

enum { GAP = 2, NARROWEST_TEXT = 24 };

/* As many columns as fit, one at least. Text to the left at the end of the table may go on in the next line. */
static struct block next_block(const struct sl_table *table, size_t from, const size_t *width, size_t columns)
{
  struct block block = {from, from, 0, width, columns};
  size_t used = from > 0 ? width[0] + GAP : 0;
  while (block.to < table->columns) {
    const bool text = block.to + 1 == table->columns && !is_right(table, block.to);
    const size_t needed = text && width[block.to] > NARROWEST_TEXT ? NARROWEST_TEXT : width[block.to];
    if (used + needed > columns && block.to > from)
      break;
    block.last_at = used;
    used += width[block.to++] + GAP;
  }
  return block;
}

/* What is to the left at the end of a line is not padded, so that no line ends in blanks. */
static bool print_cell(const struct sl_table *table, const struct block *block, size_t column, const char *text,
                       FILE *file)
{
  const bool last = column + 1 == block->to;
  const int pad = (int)(block->width[column] - sl_text_columns(text));
  if (last && text[0] == '\0')
    return fputc('\n', file) != EOF;
  if (is_right(table, column))
    return fprintf(file, "%*s%s%s", pad, "", text, last ? "\n" : "  ") >= 0;
  if (!last)
    return fprintf(file, "%s%*s", text, pad + GAP, "") >= 0;
  return sl_print_wrapped(file, text, &(struct sl_wrapping){block->last_at, block->last_at, block->columns});
}

/* The titles, or a row of cells. */
static bool print_row(const struct sl_table *table, const struct block *block, const char *const *text, FILE *file)
{
  bool ok = block->from == 0 || print_cell(table, block, 0, text[0], file);
  for (size_t c = block->from; c < block->to; c++)
    ok = print_cell(table, block, c, text[c], file) && ok;
  return ok;
}

static bool print_block(const struct sl_table *table, const struct block *block, FILE *file)
{
  const char *text[SL_TABLE_COLUMNS] = {NULL};
  for (size_t c = 0; c < table->columns; c++)
    text[c] = title(table, c);
  bool ok = print_row(table, block, text, file);
  for (size_t i = 0; i + table->columns <= table->count; i += table->columns) {
    for (size_t c = 0; c < table->columns; c++)
      text[c] = table->cells[i + c];
    ok = print_row(table, block, text, file) && ok;
  }
  return ok;
}

bool sl_table_print(const struct sl_table *table, FILE *file)
{
  const size_t columns = sl_terminal_of(file).columns;
  size_t width[SL_TABLE_COLUMNS];
  bool ok = !table->incomplete;
  for (size_t c = 0; c < table->columns; c++)
    width[c] = column_width(table, c);
  struct block block = next_block(table, 0, width, columns);
  ok = print_block(table, &block, file) && ok;
  while (block.to < table->columns) {
    block = next_block(table, block.to, width, columns);
    ok = fprintf(file, "\n") >= 0 && print_block(table, &block, file) && ok;
  }
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
