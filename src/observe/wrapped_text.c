#include "observe/wrapped_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/safe_text.h"
#include "observe/terminal.h"

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
