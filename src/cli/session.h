/* A program on a machine with the console on standard output and input and a progress line on a terminal: what run and
 * profile share. */
#ifndef SL_CLI_SESSION_H
#define SL_CLI_SESSION_H

#include "cli/interruption.h"
#include "cli/options.h"
#include "gpu/device.h"
#include "observe/output.h"
#include "observe/progress.h"

struct sl_session {
  struct sl_config config;
  struct sl_program *program;
  struct sl_device *device;
  bool console_aside; /* it is standard error: a file is on standard output */
  struct sl_output console;
  struct sl_progress progress;
  double started;
  struct sl_interruption interruption; /* ends the run */
  char input[4096];                    /* of standard input, what the program has not read yet */
  size_t input_at, input_size;
};

/* Opens the machine and reads the program. A session is closed also when this failed. */
enum sl_status sl_session_open(struct sl_session *session, const struct sl_machine_choice *choice, const char *program,
                               bool quiet, struct sl_error *err);

/* Makes the device, with the session's console and progress, and loads the program, which is operands->items[0]. */
enum sl_status sl_session_load(struct sl_session *session, struct sl_device_options options,
                               const struct sl_operands *operands, struct sl_error *err);

/* The same without running the program: its kernels are launched. */
enum sl_status sl_session_add(struct sl_session *session, struct sl_device_options options, struct sl_error *err);

/* Runs to the end and closes the console. *outcome is the device's word on the run; the code returned, with err, also
 * knows a failed check of the program's own, a console that could not be written, and signals. */
enum sl_status sl_session_run(struct sl_session *session, struct sl_error *outcome, struct sl_error *err);

/* The second half of that, for those who have run the device themselves: *outcome is what came of it. */
enum sl_status sl_session_end(struct sl_session *session, struct sl_error *outcome, struct sl_error *err);

void sl_session_close(struct sl_session *session);

/* The first error is the command's; later ones are told on standard error as they come. */
enum sl_status sl_add_outcome(enum sl_status first, enum sl_status second, const struct sl_error *second_error,
                              struct sl_error *err);

/* Closes an output if it is open, and adds the outcome of that. What a signal has ended leaves the file of before. */
enum sl_status sl_finish_output(struct sl_output *output, enum sl_status code, struct sl_error *err);

#endif
