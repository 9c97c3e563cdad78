#include "machine/vortex/vortex_console.h"

#include <stdio.h>

#include "base/schema.h"

static void print_line(struct sl_vortex_console *console, unsigned slot, sl_byte_function *print, void *context)
{
  struct sl_vortex_line *line = &console->line[slot];
  char number[16];
  snprintf(number, sizeof number, "#%u: ", slot);
  for (const char *c = number; *c && print != NULL; c++)
    print(context, (uint8_t)*c);
  for (unsigned i = 0; i < line->length && print != NULL; i++)
    print(context, (uint8_t)line->text[i]);
  if (print != NULL)
    print(context, '\n');
  line->length = 0;
}

void sl_vortex_console_put(struct sl_vortex_console *console, unsigned slot, uint8_t byte, sl_byte_function *print,
                           void *context)
{
  struct sl_vortex_line *line = &console->line[slot % SL_VORTEX_SLOTS];
  if (byte != '\n')
    line->text[line->length++] = (char)byte;
  if (byte == '\n' || line->length == SL_VORTEX_LINE)
    print_line(console, slot % SL_VORTEX_SLOTS, print, context);
}

void sl_vortex_console_end(struct sl_vortex_console *console, sl_byte_function *print, void *context)
{
  for (unsigned slot = 0; slot < SL_VORTEX_SLOTS; slot++)
    if (console->line[slot].length > 0)
      print_line(console, slot, print, context);
}

static SL_SCHEMA(line_schema, struct sl_vortex_line, NULL, SL_BELOW(SL_VORTEX_LINE, length), SL_ANY(text));

SL_SCHEMA(sl_vortex_console_schema, struct sl_vortex_console, NULL, SL_STRUCTS(line_schema, line));
