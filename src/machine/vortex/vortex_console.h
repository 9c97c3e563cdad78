/* The console of a Vortex GPU: bytes that threads store, collected per slot until a line is complete and printed as
 * "#slot: line" (as the authors' hosts do). Slots are the harts modulo 64. */
#ifndef SL_MACHINE_VORTEX_CONSOLE_H
#define SL_MACHINE_VORTEX_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SL_VORTEX_SLOTS = 64, SL_VORTEX_LINE = 500 };

struct sl_vortex_console {
  struct sl_vortex_line {
    uint16_t length;
    char text[SL_VORTEX_LINE];
  } line[SL_VORTEX_SLOTS];
};

typedef void sl_byte_function(void *context, uint8_t byte);

/* A byte for a slot's line; the line is printed at its end, or when it is full. */
void sl_vortex_console_put(struct sl_vortex_console *console, unsigned slot, uint8_t byte, sl_byte_function *print,
                           void *context);

/* Lines from a file (base/sound.h) are no longer than there is room for. */
bool sl_vortex_console_sound(const struct sl_vortex_console *console);

/* Prints the lines that the program has left without an end. */
void sl_vortex_console_end(struct sl_vortex_console *console, sl_byte_function *print, void *context);

#endif
