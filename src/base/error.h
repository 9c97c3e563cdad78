/* Errors as values: a code that is also the command's exit status, and a full sentence.
 *
 * A function that can fail takes a `struct sl_error *` as its last parameter and returns its code, SL_OK on
 * success. On failure it has filled in the sentence: what is wrong, where, and what to try. Nothing in the
 * library prints, exits or aborts. */
#ifndef SL_BASE_ERROR_H
#define SL_BASE_ERROR_H

#include <stdarg.h>
#include <stddef.h>

enum sl_status {
  SL_OK = 0,
  SL_CHECK_FAILED = 1, /* the simulated program's own check failed */
  SL_USAGE = 2,        /* command line or configuration */
  SL_FAULT = 3,        /* the simulated program did something the machine cannot do */
  SL_LIMIT = 4,        /* a limit the user set was reached */
  SL_PAUSED = 5,       /* no error: the cycles asked for have passed */
  SL_STOPPED = 6,      /* no error: a listener has asked for it */
  SL_INTERNAL = 70,    /* our own fault: a broken invariant, no memory */
  SL_INTERRUPTED = 128 /* and the number of the signal that has ended the command */
};

struct sl_error {
  enum sl_status code;
  char text[1024];
};

/* Fills in *err (which may be NULL) and returns code. Names in the sentence become text that can be shown
 * (safe_text.h). */
enum sl_status sl_fail(struct sl_error *err, enum sl_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts a prefix ("file.yaml:3: ") before the sentence of an error already filled in. */
void sl_error_prefix(struct sl_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The sentence for an allocation of `bytes` that failed. */
enum sl_status sl_no_memory(struct sl_error *err, size_t bytes);

#endif
