#include "base/error.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/types.h"

/* ---- escapes ----------------------------------------------------------------------------------------------------- */

/* Decodes the first character of a text and sets its number of bytes; 0 bytes: invalid UTF-8 (RFC 3629). */
static uint32_t character(const unsigned char *text, size_t *bytes)
{
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  const unsigned first = text[0];
  const size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  uint32_t c = more > 0 ? first & (0x3fu >> more) : first;
  *bytes = 0;
  if (first >= 0xf8 || (more == 0 && first >= 0x80))
    return 0;
  for (size_t i = 1; i <= more; i++) {
    if ((text[i] & 0xc0) != 0x80)
      return 0;
    c = c << 6 | (text[i] & 0x3f);
  }
  if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
    return 0;
  *bytes = more + 1;
  return c;
}

static bool is_shown(uint32_t c)
{
  const bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0);
  const bool turning = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
  return !control && !turning;
}

size_t sl_safe_next(const char *text, char piece[SL_SAFE_PIECE])
{
  size_t bytes;
  const uint32_t c = character((const unsigned char *)text, &bytes);
  if (bytes > 0 && is_shown(c)) {
    memcpy(piece, text, bytes);
    piece[bytes] = '\0';
    return bytes;
  }
  bytes = bytes > 0 ? bytes : 1;
  for (size_t i = 0; i < bytes; i++)
    snprintf(piece + 4 * i, 5, "\\x%02x", (unsigned)(unsigned char)text[i]);
  return bytes;
}

char *sl_safe_text(const char *text, char *out, size_t size)
{
  size_t at = 0;
  while (*text != '\0') {
    char piece[SL_SAFE_PIECE];
    text += sl_safe_next(text, piece);
    const size_t length = strlen(piece);
    if (at + length >= size)
      break;
    memcpy(out + at, piece, length);
    at += length;
  }
  out[at] = '\0';
  return out;
}

/* ---- nearest names ----------------------------------------------------------------------------------------------- */

enum { LONGEST = 80, FEW = 2, LETTERS_PER_EDIT = 3 };

static unsigned least(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

static bool same(char a, char b)
{
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Row i of the table has the distances of the first i letters of a to the prefixes of b. Three rows are kept. */
unsigned sl_edit_distance(const char *a, const char *b)
{
  unsigned rows[3][LONGEST + 1];
  const size_t a_length = strnlen(a, LONGEST), b_length = strnlen(b, LONGEST);
  for (size_t j = 0; j <= b_length; j++)
    rows[0][j] = (unsigned)j;
  for (size_t i = 1; i <= a_length; i++) {
    unsigned *row = rows[i % 3], *before = rows[(i - 1) % 3], *earlier = rows[(i + 1) % 3];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= b_length; j++) {
      row[j] = least(before[j - 1] + !same(a[i - 1], b[j - 1]), least(before[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        row[j] = least(row[j], earlier[j - 2] + 1);
    }
  }
  return rows[a_length % 3][b_length];
}

static bool is_near(const char *word, const char *name, unsigned distance)
{
  const size_t a = strnlen(word, LONGEST), b = strnlen(name, LONGEST);
  return distance <= FEW && distance * LETTERS_PER_EDIT <= (a > b ? a : b);
}

void sl_nearest_begin(struct sl_nearest *nearest, const char *word)
{
  *nearest = (struct sl_nearest){.word = word};
}

void sl_nearest_offer(struct sl_nearest *nearest, const char *name)
{
  const unsigned distance = sl_edit_distance(nearest->word, name);
  if (is_near(nearest->word, name, distance) && (nearest->name == NULL || distance < nearest->distance)) {
    nearest->name = name;
    nearest->distance = distance;
  }
}

enum sl_status sl_fail(struct sl_error *err, enum sl_status code, const char *format, ...)
{
  if (err == NULL)
    return code;
  err->code = code;
  char text[sizeof err->text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  sl_safe_text(text, err->text, sizeof err->text);
  return code;
}

void sl_error_prefix(struct sl_error *err, const char *format, ...)
{
  if (err == NULL)
    return;
  char text[sizeof err->text], prefix[sizeof err->text];
  memcpy(text, err->text, sizeof text);
  va_list args;
  va_start(args, format);
  vsnprintf(prefix, sizeof prefix, format, args);
  va_end(args);
  sl_safe_text(prefix, err->text, sizeof err->text);
  const size_t n = strlen(err->text);
  sl_safe_text(text, err->text + n, sizeof err->text - n);
}

enum sl_status sl_no_memory(struct sl_error *err, size_t bytes)
{
  return sl_fail(err, SL_INTERNAL, "out of memory: %zu bytes could not be allocated", bytes);
}
