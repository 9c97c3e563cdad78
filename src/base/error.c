#include "base/error.h"

#include <stdio.h>
#include <string.h>

#include "base/message_text.h"

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
