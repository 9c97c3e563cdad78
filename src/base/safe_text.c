#include "base/safe_text.h"

#include <stdio.h>
#include <string.h>

#include "base/types.h"

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
