/* Errors as values: a code, which is also the command's exit status, and a full sentence.
 *
 * A function that can fail takes a `struct sl_error *` as its last parameter and returns its code, SL_OK on success. On
 * failure it has filled in the sentence: what failed, where, and a remedy. The library never prints, exits or
 * aborts. */
#ifndef SL_BASE_ERROR_H
#define SL_BASE_ERROR_H

#include <stdarg.h>
#include <stddef.h>

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
 * (message_text.h). */
enum sl_status sl_fail(struct sl_error *err, enum sl_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Inserts a prefix ("file.yaml:3: ") before the sentence of a filled-in error. */
void sl_error_prefix(struct sl_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports a failed allocation of `bytes` bytes. */
enum sl_status sl_no_memory(struct sl_error *err, size_t bytes);

#endif
