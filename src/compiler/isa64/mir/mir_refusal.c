/* Records the reason why a function cannot be compiled. */
#include <stdio.h>

#include "compiler/isa64/mir/mir_parser.h"

enum sl_status sl_mir_refuse(struct sl_mir_parser *parser, const char *format, ...)
{
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return sl_fail(parser->err, SL_USAGE, "%s", text);
}
