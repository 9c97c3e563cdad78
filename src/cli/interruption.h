/* Clean shutdown on SIGINT, SIGTERM and SIGHUP. Long commands poll for a signal, so no line or file is cut. After a
 * signal was seen, a second one ends the process immediately. */
#ifndef SL_CLI_INTERRUPTION_H
#define SL_CLI_INTERRUPTION_H

#include <signal.h>

#include "base/error.h"
#include "base/types.h"

struct sl_interruption {
  int file; /* signalfd; below 0: signals keep their default action */
  int seen; /* number of the signal; 0: none */
  sigset_t before;
};

/* Blocks the signals between begin and end; sl_interrupted() polls them. */
void sl_interruption_begin(struct sl_interruption *interruption);
void sl_interruption_end(struct sl_interruption *interruption);

/* Whether a signal has arrived. Only one thread may call it at a time. */
bool sl_interrupted(struct sl_interruption *interruption);

/* Waits until a file is readable. False: a signal arrived. */
bool sl_interruption_wait(struct sl_interruption *interruption, int file);

/* Exit status of an interrupted command: 128 plus the signal's number. The error is "SIGINT: " and the text. */
enum sl_status sl_interrupted_status(const struct sl_interruption *interruption, struct sl_error *err,
                                     const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
