/* Text of messages: what others have named, made harmless, and the name that they may have meant. */
#ifndef SL_BASE_MESSAGE_TEXT_H
#define SL_BASE_MESSAGE_TEXT_H

#include <stddef.h>

/* ---- escapes ----------------------------------------------------------------------------------------------------- */

/* Escapes untrusted text, such as names of files and symbols, for a terminal. Control characters, invalid UTF-8 and
 * characters that change the writing direction become \xNN; newlines and tabs stay. */

enum { SL_SAFE_PIECE = 13 }; /* size of the longest piece: three \xNN and the final 0 */

/* Escapes the first character of a non-empty text into `piece`. Returns its number of bytes in the text. */
size_t sl_safe_next(const char *text, char piece[SL_SAFE_PIECE]);

/* Escapes a text into `out`, at most size - 1 bytes and whole pieces only; returns out. The two must not overlap. */
char *sl_safe_text(const char *text, char *out, size_t size);

/* ---- nearest names ----------------------------------------------------------------------------------------------- */

/* Finds the valid name nearest to a mistyped one, for "did you mean" in error messages.
 *
 * The distance is that of Damerau and Levenshtein: the number of edits that insert, delete or replace a letter, or
 * exchange two neighbours, without an edit inside an exchange. A name is near if its distance is at most two and at
 * most a third of the letters of the longer name. Case is ignored. */

/* The edit distance of two names. Only the beginning of long names counts. */
unsigned sl_edit_distance(const char *a, const char *b);

/* A search among names that the caller offers one by one. */
struct sl_nearest {
  const char *word;
  const char *name; /* the first of the nearest names; NULL while none is near */
  unsigned distance;
};

void sl_nearest_begin(struct sl_nearest *nearest, const char *word);
void sl_nearest_offer(struct sl_nearest *nearest, const char *name);

#endif
