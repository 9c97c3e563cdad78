/* Text of others, such as names of files and symbols, as it can be shown: control characters, bytes that are no UTF-8
 * and characters that turn the direction of writing become \x1b and the like. Ends of lines and tabs stay. */
#ifndef SL_BASE_SAFE_TEXT_H
#define SL_BASE_SAFE_TEXT_H

#include <stddef.h>

enum { SL_SAFE_PIECE = 13 }; /* room for the longest piece: 3 bytes as \xNN, and its end */

/* The next piece of a text that is not empty: bytes of it, whose form that can be shown is in `piece`. */
size_t sl_safe_next(const char *text, char piece[SL_SAFE_PIECE]);

/* The whole into out, which is cut to whole pieces at size - 1 bytes; returns out. They may not overlap. */
char *sl_safe_text(const char *text, char *out, size_t size);

#endif
