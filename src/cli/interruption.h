/* SIGINT, SIGTERM and SIGHUP as something that a long command asks about, so that it ends in order: nothing interrupts
 * it in the middle of a line or a file. A second one, once the first has been seen, ends the process at once. */
#ifndef SL_CLI_INTERRUPTION_H
#define SL_CLI_INTERRUPTION_H

#include <signal.h>

#include "base/error.h"
#include "base/types.h"

struct sl_interruption {
  int file; /* that they arrive at; below 0: they do what they always do */
  int seen; /* the signal, 0: none */
  sigset_t before;
};

/* From here on they are asked about, until the end. */
void sl_interruption_begin(struct sl_interruption *interruption);
void sl_interruption_end(struct sl_interruption *interruption);

/* Whether one has come. By one thread at a time. */
bool sl_interrupted(struct sl_interruption *interruption);

/* Waits until a file can be read. False: one has come. */
bool sl_interruption_wait(struct sl_interruption *interruption, int file);

/* The exit status of a command that one has ended, 128 and its number, with the sentence "SIGINT: " and the text. */
enum sl_status sl_interrupted_status(const struct sl_interruption *interruption, struct sl_error *err,
                                     const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
