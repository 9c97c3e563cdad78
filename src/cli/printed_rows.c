#include "cli/printed_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/options.h"
#include "observe/json.h"
#include "observe/report.h"
#include "observe/terminal.h"

enum { LONGEST = 1024 };

enum sl_status sl_rows_choose(const char *name, enum sl_rows_format *format, struct sl_error *err)
{
  static const char *const names[] = {[SL_ROWS_TEXT] = "text",
                                      [SL_ROWS_CSV] = "csv",
                                      [SL_ROWS_JSON] = "json",
                                      [SL_ROWS_MARKDOWN] = "markdown",
                                      [SL_ROWS_LATEX] = "latex"};
  enum { COUNT = sizeof names / sizeof *names };
  unsigned i = 0;
  while (name != NULL && i < COUNT && strcmp(name, names[i]) != 0)
    i++;
  if (i == COUNT)
    return sl_unknown(err, "format", name, names, COUNT);
  *format = (enum sl_rows_format)i;
  return SL_OK;
}

void sl_rows_free(struct sl_rows *rows)
{
  for (size_t i = 0; i < rows->columns; i++)
    free(rows->titles[i]);
  for (size_t i = 0; i < rows->count; i++)
    free(rows->cells[i]);
  free(rows->cells);
}

static char *formatted(const char *format, va_list args)
{
  char text[LONGEST];
  vsnprintf(text, sizeof text, format, args);
  return strdup(text);
}

void sl_rows_title(struct sl_rows *rows, bool right, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  char *text = rows->columns < SL_ROWS_COLUMNS ? formatted(format, args) : NULL;
  va_end(args);
  rows->incomplete = rows->incomplete || text == NULL;
  if (text == NULL)
    return;
  rows->right[rows->columns] = right;
  rows->titles[rows->columns++] = text;
}

void sl_rows_cell(struct sl_rows *rows, const char *format, ...)
{
  if (!SL_GROW(rows->cells, rows->count)) {
    rows->incomplete = true;
    return;
  }
  va_list args;
  va_start(args, format);
  char *text = formatted(format, args);
  va_end(args);
  rows->incomplete = rows->incomplete || text == NULL;
  if (text != NULL)
    rows->cells[rows->count++] = text;
}

void sl_rows_number(struct sl_rows *rows, double value, int digits, bool sign)
{
  if (!isfinite(value))
    sl_rows_cell(rows, "%s", "");
  else if (sign)
    sl_rows_cell(rows, "%+.*g", digits, value);
  else
    sl_rows_cell(rows, "%.*g", digits, value);
}

static void print_text(const struct sl_rows *rows)
{
  char titles[SL_TABLE_COLUMNS][128];
  const char *all[SL_TABLE_COLUMNS + 1] = {NULL};
  struct sl_table table;
  for (size_t i = 0; i < rows->columns; i++) {
    snprintf(titles[i], sizeof titles[i], "%s%.120s", rows->right[i] ? ">" : "", rows->titles[i]);
    all[i] = titles[i];
  }
  sl_table_init(&table, all);
  for (size_t i = 0; i < rows->count; i++)
    sl_table_cell(&table, "%s", rows->cells[i]);
  sl_table_print(&table, stdout);
  sl_table_free(&table);
}

static void print_csv_cell(const char *text)
{
  if (strpbrk(text, ",\"\r\n") == NULL) {
    fputs(text, stdout);
    return;
  }
  putchar('"');
  for (; *text != '\0'; text++)
    fputs((const char[]){*text, *text == '"' ? '"' : '\0', '\0'}, stdout);
  putchar('"');
}

static void print_markdown_cell(const char *text)
{
  for (; *text != '\0'; text++)
    if (*text == '|')
      fputs("\\|", stdout);
    else
      putchar(*text == '\n' ? ' ' : *text);
}

static void print_latex_cell(const char *text)
{
  for (; *text != '\0'; text++)
    if (strchr("&%$#_{}", *text) != NULL)
      printf("\\%c", *text);
    else if (*text == '\\' || *text == '~' || *text == '^')
      printf("\\char%d{}", *text);
    else
      putchar(*text == '\n' ? ' ' : *text);
}

/* Rows of cells with something before, between and after them. */
static void print_lines(const struct sl_rows *rows, char *const *cells, size_t count, const char *const around[3],
                        void (*print)(const char *text))
{
  for (size_t i = 0; i < count; i++) {
    fputs(i % rows->columns == 0 ? around[0] : around[1], stdout);
    print(cells[i]);
    if (i % rows->columns == rows->columns - 1)
      fputs(around[2], stdout);
  }
}

static void print_markdown(const struct sl_rows *rows)
{
  static const char *const around[3] = {"| ", " | ", " |\n"};
  print_lines(rows, rows->titles, rows->columns, around, print_markdown_cell);
  for (size_t i = 0; i < rows->columns; i++)
    fputs(rows->right[i] ? "|--:" : "|---", stdout);
  fputs("|\n", stdout);
  print_lines(rows, rows->cells, rows->count, around, print_markdown_cell);
}

static void print_latex(const struct sl_rows *rows)
{
  static const char *const around[3] = {"", " & ", " \\\\\n"};
  fputs("\\begin{tabular}{", stdout);
  for (size_t i = 0; i < rows->columns; i++)
    putchar(rows->right[i] ? 'r' : 'l');
  fputs("}\n\\hline\n", stdout);
  print_lines(rows, rows->titles, rows->columns, around, print_latex_cell);
  fputs("\\hline\n", stdout);
  print_lines(rows, rows->cells, rows->count, around, print_latex_cell);
  fputs("\\hline\n\\end{tabular}\n", stdout);
}

static json_t *cell_json(const struct sl_rows *rows, size_t i)
{
  char *end;
  const char *text = rows->cells[i];
  if (!rows->right[i % rows->columns])
    return sl_json_text(text);
  const long long whole = strtoll(text, &end, 10);
  if (text[0] != '\0' && *end == '\0')
    return json_integer(whole);
  const double number = strtod(text, &end);
  return text[0] != '\0' && *end == '\0' ? json_real(number) : json_null();
}

static enum sl_status print_json(const struct sl_rows *rows, struct sl_error *err)
{
  json_t *array = json_array(), *row = NULL;
  for (size_t i = 0; i < rows->count; i++) {
    if (i % rows->columns == 0)
      row = json_object();
    sl_json_put(&row, rows->titles[i % rows->columns], cell_json(rows, i));
    if (i % rows->columns == rows->columns - 1)
      sl_json_append(&array, row);
  }
  return sl_json_save(array, "-", err);
}

enum sl_status sl_rows_print(const struct sl_rows *rows, enum sl_rows_format format, struct sl_error *err)
{
  static const char *const commas[3] = {"", ",", "\n"};
  if (rows->incomplete)
    return sl_fail(err, SL_INTERNAL, "out of memory, or more than %d columns", SL_ROWS_COLUMNS);
  if (format == SL_ROWS_TEXT && rows->columns > SL_TABLE_COLUMNS)
    return sl_fail(err, SL_USAGE, "a text table has at most %d columns, not %zu; choose another --format",
                   SL_TABLE_COLUMNS, rows->columns);
  switch (format) {
  case SL_ROWS_TEXT: print_text(rows); return SL_OK;
  case SL_ROWS_CSV:
    print_lines(rows, rows->titles, rows->columns, commas, print_csv_cell);
    print_lines(rows, rows->cells, rows->count, commas, print_csv_cell);
    return SL_OK;
  case SL_ROWS_JSON: return print_json(rows, err);
  case SL_ROWS_MARKDOWN: print_markdown(rows); return SL_OK;
  case SL_ROWS_LATEX: print_latex(rows); return SL_OK;
  }
  return SL_OK;
}
