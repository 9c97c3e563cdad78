#include "observe/terminal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"

enum { USUAL = 80, NARROWEST = 40, WIDEST = 1000 };

static const char *variable(const char *name)
{
  const char *value = getenv(name);
  return value != NULL ? value : "";
}

static unsigned columns_of(FILE *file, bool terminal)
{
  struct winsize size;
  unsigned long columns = 0;
  if (terminal && ioctl(fileno(file), TIOCGWINSZ, &size) == 0)
    columns = size.ws_col;
  if (columns == 0)
    columns = strtoul(variable("COLUMNS"), NULL, 10);
  if (columns == 0 || columns > WIDEST)
    return USUAL;
  return columns < NARROWEST ? NARROWEST : (unsigned)columns;
}

struct sl_terminal sl_terminal_of(FILE *file)
{
  const char *wish = variable("SIMTLAB_COLOR"), *kind = variable("TERM");
  const bool terminal = isatty(fileno(file)) == 1;
  const bool able = terminal && kind[0] != '\0' && strcmp(kind, "dumb") != 0;
  const bool colour = able && variable("NO_COLOR")[0] == '\0';
  return (struct sl_terminal){.columns = columns_of(file, terminal),
                              .redraws = able,
                              .colour = (colour && strcmp(wish, "never") != 0) || strcmp(wish, "always") == 0};
}

static int print_text(FILE *file, const char *text)
{
  int written = 0;
  while (*text != '\0' && written >= 0) {
    char piece[SL_SAFE_PIECE];
    text += sl_safe_next(text, piece);
    written = fputs(piece, file) < 0 ? -1 : written + (int)strlen(piece);
  }
  return written;
}

__attribute__((format(printf, 2, 0))) static int print_list(FILE *file, const char *format, va_list args)
{
  char some[512], *text = some;
  va_list again;
  va_copy(again, args);
  const int length = vsnprintf(some, sizeof some, format, args);
  if (length >= (int)sizeof some) {
    text = malloc((size_t)length + 1);
    if (text != NULL)
      vsnprintf(text, (size_t)length + 1, format, again);
  }
  va_end(again);
  const int written = length < 0 || text == NULL ? -1 : print_text(file, text);
  if (text != some)
    free(text);
  return written;
}

int sl_print(FILE *file, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const int written = print_list(file, format, args);
  va_end(args);
  return written;
}

#define REDRAW_SECONDS 0.1

double sl_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void sl_progress_init(struct sl_progress *progress, FILE *file, bool quiet)
{
  const struct sl_terminal terminal = sl_terminal_of(file);
  *progress = (struct sl_progress){.file = file, .enabled = !quiet && terminal.redraws};
  progress->colour = progress->enabled && terminal.colour;
  progress->next = sl_seconds() + REDRAW_SECONDS;
}

bool sl_progress_due(struct sl_progress *progress)
{
  if (!progress->enabled)
    return false;
  double now = sl_seconds();
  if (now < progress->next)
    return false;
  progress->next = now + REDRAW_SECONDS;
  return true;
}

void sl_progress_draw(struct sl_progress *progress, const char *line)
{
  if (!progress->enabled)
    return;
  const char *begin = progress->colour ? "\033[2m" : "", *end = progress->colour ? "\033[0m" : "";
  fprintf(progress->file, "\r\033[K%s", begin);
  sl_print(progress->file, "%.79s", line);
  fputs(end, progress->file);
  fflush(progress->file);
  progress->shown = true;
}

void sl_progress_hide(struct sl_progress *progress)
{
  if (!progress->shown)
    return;
  fputs("\r\033[K", progress->file);
  fflush(progress->file);
  progress->shown = false;
}

/* ---- wrapped text ------------------------------------------------------------------------------------------------ */

struct range {
  uint32_t from, to;
};

/* Wide blocks of Unicode (East Asian Width W and F), and combining characters, which take no column. */
static const struct range wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},  {0xac00, 0xd7a3},
                                    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},  {0xffe0, 0xffe6},
                                    {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
static const struct range combining[] = {{0x0300, 0x036f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f},
                                         {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};

static bool is_in(uint32_t c, const struct range *ranges, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (c >= ranges[i].from && c <= ranges[i].to)
      return true;
  return false;
}

/* Returns the next character and its length; an invalid byte is a character by itself. */
static uint32_t next_character(const char *text, size_t *length)
{
  const unsigned char first = (unsigned char)text[0];
  const size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  uint32_t c = more > 0 ? first & (0x3fu >> more) : first;
  *length = 1;
  while (*length <= more && ((unsigned char)text[*length] & 0xc0) == 0x80)
    c = c << 6 | ((unsigned char)text[(*length)++] & 0x3f);
  return c;
}

static size_t width_of(uint32_t c)
{
  if (is_in(c, combining, sizeof combining / sizeof combining[0]))
    return 0;
  return is_in(c, wide, sizeof wide / sizeof wide[0]) ? 2 : 1;
}

size_t sl_text_columns(const char *text)
{
  size_t columns = 0;
  for (size_t length; *text != '\0'; text += length)
    columns += width_of(next_character(text, &length));
  return columns;
}

size_t sl_text_fitting(const char *text, size_t columns)
{
  size_t bytes = 0;
  for (size_t length, used = 0; text[bytes] != '\0'; bytes += length) {
    used += width_of(next_character(text + bytes, &length));
    if (used > columns)
      break;
  }
  return bytes;
}

/* Returns the bytes of a line: as many words as fit, at least one if the line is empty. */
static size_t line_of(const char *text, size_t room, bool empty)
{
  const size_t whole = strcspn(text, "\n"), fits = sl_text_fitting(text, room);
  if (whole <= fits)
    return whole;
  size_t end = fits;
  while (end > 0 && text[end] != ' ')
    end--;
  return end > 0 || !empty ? end : strcspn(text, " \n");
}

bool sl_print_wrapped(FILE *file, const char *text, const struct sl_wrapping *wrapping)
{
  size_t at = wrapping->at;
  bool ok = true;
  for (;;) {
    const size_t room = at < wrapping->columns ? wrapping->columns - at : 0;
    const size_t length = line_of(text, room, at <= wrapping->indent);
    ok = fprintf(file, "%.*s\n", (int)length, text) >= 0 && ok;
    text += length;
    text += *text == '\n' ? 1 : strspn(text, " ");
    if (*text == '\0')
      return ok;
    ok = fprintf(file, "%*s", (int)wrapping->indent, "") >= 0 && ok;
    at = wrapping->indent;
  }
}

bool sl_print_lines(FILE *file, size_t indent, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
  if (text == NULL)
    return false;
  va_start(args, format);
  vsnprintf(text, (size_t)length + 1, format, args);
  va_end(args);
  const size_t room = 4 * (size_t)length + 1;
  char *shown = malloc(room);
  const bool ok = shown != NULL && sl_print_wrapped(file, sl_safe_text(text, shown, room),
                                                    &(struct sl_wrapping){0, indent, sl_terminal_of(file).columns});
  free(text);
  free(shown);
  return ok;
}

enum { LIST_TEXT = 1024 };

static void format_safely(char text[LIST_TEXT], const char *format, va_list args)
{
  char given[LIST_TEXT];
  vsnprintf(given, sizeof given, format, args);
  sl_safe_text(given, text, LIST_TEXT);
}

static void put_item(struct sl_list_line *line, const char *text)
{
  fputs(text, line->file);
  line->at += sl_text_columns(text);
}

void sl_list_begin(struct sl_list_line *line, FILE *file, size_t indent, const char *format, ...)
{
  char text[LIST_TEXT];
  va_list args;
  va_start(args, format);
  format_safely(text, format, args);
  va_end(args);
  *line = (struct sl_list_line){.file = file, .indent = indent, .columns = sl_terminal_of(file).columns};
  const char *rest = text + strspn(text, " ");
  line->at = (size_t)(rest - text);
  fprintf(file, "%*s", (int)line->at, "");
  while (sl_text_columns(rest) > line->columns - line->at) {
    const size_t words = line_of(rest, line->columns - line->at, line->at <= indent);
    const size_t fits = sl_text_fitting(rest, line->columns - line->at);
    const size_t length = words <= fits ? words : fits; /* a word that is longer than the line is in several */
    fprintf(file, "%.*s\n%*s", (int)length, rest, (int)indent, "");
    rest += length + strspn(rest + length, " ");
    line->at = indent;
  }
  put_item(line, rest);
}

void sl_list_item(struct sl_list_line *line, const char *format, ...)
{
  enum { AROUND = 2 }; /* a blank before it and a comma after it */
  char text[LIST_TEXT];
  va_list args;
  va_start(args, format);
  format_safely(text, format, args);
  va_end(args);
  if (line->items++ > 0)
    put_item(line, ",");
  if (line->at + sl_text_columns(text) + AROUND > line->columns) {
    fprintf(line->file, "\n%*s", (int)line->indent, "");
    line->at = line->indent;
  } else {
    put_item(line, " ");
  }
  put_item(line, text);
}

void sl_list_end(struct sl_list_line *line)
{
  fputc('\n', line->file);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

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
