/* Errors as values: a code, which is also the command's exit status, and a full sentence.
 *
 * A function that can fail takes a `struct sl_error *` as its last parameter and returns its code, SL_OK on success. On
 * failure it has filled in the sentence: what failed, where, and a remedy. The library never prints, exits or
 * aborts. */
#ifndef SL_BASE_ERROR_H
#define SL_BASE_ERROR_H

#include <stdarg.h>
#include <stddef.h>

/* Text of messages: what others have named, made harmless, and the name that they may have meant. */

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

enum sl_status {
  SL_OK = 0,
  SL_CHECK_FAILED = 1, /* the simulated program's own check failed */
  SL_USAGE = 2,        /* command line or configuration */
  SL_FAULT = 3,        /* the simulated program did something that the machine cannot do */
  SL_LIMIT = 4,        /* the run reached a limit that the user set */
  SL_PAUSED = 5,       /* not an error: the requested cycles have passed */
  SL_STOPPED = 6,      /* not an error: an observer requested the stop */
  SL_INTERNAL = 70,    /* internal error: a broken invariant, or out of memory */
  SL_INTERRUPTED = 128 /* plus the number of the signal that ended the command */
};

struct sl_error {
  enum sl_status code;
  char text[1024];
};

/* Fills in *err (which may be NULL) and returns code. Names in the sentence become text that can be shown
 * (error.h). */
enum sl_status sl_fail(struct sl_error *err, enum sl_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Inserts a prefix ("file.yaml:3: ") before the sentence of a filled-in error. */
void sl_error_prefix(struct sl_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports a failed allocation of `bytes` bytes. */
enum sl_status sl_no_memory(struct sl_error *err, size_t bytes);

#endif
