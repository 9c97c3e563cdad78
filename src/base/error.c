#include "base/error.h"

#include <stdio.h>
#include <string.h>

enum sl_status sl_fail(struct sl_error *err, enum sl_status code, const char *format, ...)
{
  if (err == NULL)
    return code;
  err->code = code;
  va_list args;
  va_start(args, format);
  vsnprintf(err->text, sizeof err->text, format, args);
  va_end(args);
  return code;
}

void sl_error_prefix(struct sl_error *err, const char *format, ...)
{
  if (err == NULL)
    return;
  char text[sizeof err->text];
  memcpy(text, err->text, sizeof text);
  va_list args;
  va_start(args, format);
  int n = vsnprintf(err->text, sizeof err->text, format, args);
  va_end(args);
  if (n >= 0 && (size_t)n < sizeof err->text)
    snprintf(err->text + n, sizeof err->text - (size_t)n, "%s", text);
}

enum sl_status sl_no_memory(struct sl_error *err, size_t bytes)
{
  return sl_fail(err, SL_INTERNAL, "out of memory: %zu bytes could not be allocated", bytes);
}
