/* A line of a text trace: numbers and short texts are appended without a format to interpret, since a trace has
 * millions of them. What does not fit is left out. */
#ifndef SL_OBSERVE_TRACE_LINE_H
#define SL_OBSERVE_TRACE_LINE_H

#include <string.h>

#include "base/types.h"

enum { SL_TRACE_LINE = 4096, SL_TRACE_DIGITS = 20 };

struct sl_trace_line {
  size_t size;
  char text[SL_TRACE_LINE];
};

static inline void sl_line_bytes(struct sl_trace_line *line, const char *bytes, size_t size)
{
  if (size > SL_TRACE_LINE - line->size)
    size = SL_TRACE_LINE - line->size;
  memcpy(line->text + line->size, bytes, size);
  line->size += size;
}

/* Appends a string literal. */
#define SL_LINE_LITERAL(line, literal) sl_line_bytes(line, literal, sizeof(literal) - 1)

static inline void sl_line_text(struct sl_trace_line *line, const char *text)
{
  sl_line_bytes(line, text, strlen(text));
}

/* Appends a number in a base from 10 to 16, with zeros before it up to a number of digits. */
static inline void sl_line_padded(struct sl_trace_line *line, uint64_t value, unsigned base, unsigned least)
{
  char digits[SL_TRACE_DIGITS];
  size_t at = sizeof digits;
  do
    digits[--at] = "0123456789abcdef"[value % base];
  while ((value /= base) != 0 || (sizeof digits - at < least && at > 0));
  sl_line_bytes(line, digits + at, sizeof digits - at);
}

static inline void sl_line_number(struct sl_trace_line *line, uint64_t value, unsigned base)
{
  sl_line_padded(line, value, base, 1);
}

#endif
