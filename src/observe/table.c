#include "observe/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "observe/terminal.h"

void sl_table_init(struct sl_table *table, const char *const *titles)
{
  *table = (struct sl_table){0};
  while (titles[table->columns] != NULL && table->columns < SL_TABLE_COLUMNS) {
    table->titles[table->columns] = titles[table->columns];
    table->columns++;
  }
  table->incomplete = titles[table->columns] != NULL;
}

void sl_table_free(struct sl_table *table)
{
  free(table->cells);
  *table = (struct sl_table){0};
}

void sl_table_cell(struct sl_table *table, const char *format, ...)
{
  if (!SL_GROW(table->cells, table->count)) {
    table->incomplete = true;
    return;
  }
  va_list args;
  va_start(args, format);
  struct sl_table_cell *cell = &table->cells[table->count++];
  char text[SL_TABLE_CELL];
  vsnprintf(text, sizeof text, format, args);
  sl_safe_text(text, cell->text, sizeof cell->text);
  cell->tone = SL_TONE_PLAIN;
  va_end(args);
}

void sl_table_tone(struct sl_table *table, enum sl_tone tone)
{
  if (table->count > 0)
    table->cells[table->count - 1].tone = tone;
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
    const size_t length = sl_text_columns(table->cells[i].text);
    width = length > width ? length : width;
  }
  return width;
}

/* Columns that are printed side by side: the first, and a range of the others. */
struct block {
  size_t from, to;
  size_t last_at; /* position of the last one */
  const size_t *width;
  size_t columns; /* of a line */
  bool colour;
};

enum { GAP = 2, NARROWEST_TEXT = 24, NARROWEST_FIRST = 8 };

/* Minimum width of the columns. Left-aligned text in the table's last column may wrap. */
static size_t needed_width(const struct sl_table *table, const size_t *width, size_t column)
{
  const bool text = column + 1 == table->columns && !is_right(table, column);
  return text && width[column] > NARROWEST_TEXT ? NARROWEST_TEXT : width[column];
}

/* The first column is next to every other, so it leaves space for the widest of them. If the table does not fit as a
 * whole, it takes at most half of the line. */
static size_t first_width(const struct sl_table *table, const size_t *width, size_t columns)
{
  size_t widest = 0, all = width[0];
  for (size_t c = 1; c < table->columns; c++) {
    const size_t needed = needed_width(table, width, c);
    widest = needed > widest ? needed : widest;
    all += GAP + needed;
  }
  size_t room = columns > widest + GAP + NARROWEST_FIRST ? columns - widest - GAP : NARROWEST_FIRST;
  room = room > columns / 2 ? columns / 2 : room;
  return all > columns && width[0] > room ? room : width[0];
}

/* Selects as many columns as fit, at least one. */
static struct block next_block(const struct sl_table *table, size_t from, const size_t *width,
                               const struct sl_terminal *terminal)
{
  struct block block = {from, from, 0, width, terminal->columns, terminal->colour};
  size_t used = from > 0 ? width[0] + GAP : 0;
  while (block.to < table->columns) {
    if (used + needed_width(table, width, block.to) > block.columns && block.to > from)
      break;
    block.last_at = used;
    used += width[block.to++] + GAP;
  }
  return block;
}

static const char *begin_of(enum sl_tone tone)
{
  switch (tone) {
  case SL_TONE_GOOD: return "\033[32m";
  case SL_TONE_BAD: return "\033[1;31m";
  case SL_TONE_STRONG: return "\033[1m";
  case SL_TONE_PLAIN: break;
  }
  return "";
}

/* Left-aligned text at the end of a line is not padded, so that no line ends in blanks. */
static bool print_cell(const struct block *block, size_t column, bool right, const char *text, enum sl_tone tone,
                       FILE *file)
{
  const bool last = column + 1 == block->to, coloured = block->colour && tone != SL_TONE_PLAIN && text[0] != '\0';
  const char *begin = coloured ? begin_of(tone) : "", *end = coloured ? "\033[0m" : "";
  const int pad = (int)(block->width[column] - sl_text_columns(text));
  if (last && text[0] == '\0')
    return fputc('\n', file) != EOF;
  if (right)
    return fprintf(file, "%*s%s%s%s%s", pad, "", begin, text, end, last ? "\n" : "  ") >= 0;
  if (!last)
    return fprintf(file, "%s%s%s%*s", begin, text, end, pad + GAP, "") >= 0;
  if (coloured)
    return fprintf(file, "%s%s%s\n", begin, text, end) >= 0;
  return sl_print_wrapped(file, text, &(struct sl_wrapping){block->last_at, block->last_at, block->columns});
}

/* Prints the part of a first cell that does not fit its column, on lines of its own; text becomes the rest. */
static bool print_beginning(const struct block *block, const char **text, FILE *file)
{
  bool ok = true;
  while (block->to > 1 && sl_text_columns(*text) > block->width[0]) {
    const int bytes = (int)sl_text_fitting(*text, block->width[0]);
    ok = fprintf(file, "%.*s\n", bytes, *text) >= 0 && ok;
    *text += bytes;
  }
  return ok;
}

/* Prints a row of cells; for NULL the titles. */
static bool print_row(const struct sl_table *table, const struct block *block, const struct sl_table_cell *row,
                      FILE *file)
{
  bool ok = true;
  for (size_t i = block->from > 0 ? block->from - 1 : 0; i < block->to; i++) {
    const size_t c = block->from > 0 && i == block->from - 1 ? 0 : i; /* every block begins with the first column */
    const bool right = is_right(table, c);
    const char *text = row == NULL ? title(table, c) : row[c].text;
    ok = (c > 0 || print_beginning(block, &text, file)) && ok;
    ok = print_cell(block, c, right, text, row == NULL ? SL_TONE_STRONG : row[c].tone, file) && ok;
  }
  return ok;
}

static bool print_block(const struct sl_table *table, const struct block *block, FILE *file)
{
  bool ok = print_row(table, block, NULL, file);
  for (size_t i = 0; i + table->columns <= table->count; i += table->columns)
    ok = print_row(table, block, &table->cells[i], file) && ok;
  return ok;
}

bool sl_table_print(const struct sl_table *table, FILE *file)
{
  const struct sl_terminal terminal = sl_terminal_of(file);
  size_t width[SL_TABLE_COLUMNS];
  bool ok = !table->incomplete;
  for (size_t c = 0; c < table->columns; c++)
    width[c] = column_width(table, c);
  width[0] = first_width(table, width, terminal.columns);
  struct block block = next_block(table, 0, width, &terminal);
  ok = print_block(table, &block, file) && ok;
  while (block.to < table->columns) {
    block = next_block(table, block.to, width, &terminal);
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
