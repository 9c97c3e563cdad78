/* The console of a Vortex GPU. It collects the bytes that threads store, per slot, until a line is complete, and prints
 * it as "#slot: line" (as the authors' hosts do). The slot is the hart number modulo 64. */
#ifndef SL_MACHINE_VORTEX_CONSOLE_H
#define SL_MACHINE_VORTEX_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/types.h"

enum { SL_VORTEX_SLOTS = 64, SL_VORTEX_LINE = 500 };

struct sl_vortex_console {
  struct sl_vortex_line {
    uint16_t length;
    char text[SL_VORTEX_LINE];
  } line[SL_VORTEX_SLOTS];
};

typedef void sl_byte_function(void *context, uint8_t byte);

/* Appends a byte to a slot's line. The line is printed at its end, or when it is full. */
void sl_vortex_console_put(struct sl_vortex_console *console, unsigned slot, uint8_t byte, sl_byte_function *print,
                           void *context);

const struct sl_schema *sl_vortex_console_schema(void);

/* Prints the lines that the program did not end. */
void sl_vortex_console_end(struct sl_vortex_console *console, sl_byte_function *print, void *context);

#endif
