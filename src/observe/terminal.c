#include "observe/terminal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

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
