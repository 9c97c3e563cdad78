/* Escapes untrusted text, such as names of files and symbols, for a terminal. Control characters, invalid UTF-8 and
 * characters that change the writing direction become \xNN; newlines and tabs stay. */
#ifndef SL_BASE_SAFE_TEXT_H
#define SL_BASE_SAFE_TEXT_H

#include <stddef.h>

enum { SL_SAFE_PIECE = 13 }; /* size of the longest piece: three \xNN and the final 0 */

/* Escapes the first character of a non-empty text into `piece`. Returns its number of bytes in the text. */
size_t sl_safe_next(const char *text, char piece[SL_SAFE_PIECE]);

/* Escapes a text into `out`, at most size - 1 bytes and whole pieces only; returns out. The two must not overlap. */
char *sl_safe_text(const char *text, char *out, size_t size);

#endif
