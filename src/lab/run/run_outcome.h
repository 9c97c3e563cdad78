/* How a run ended, and what it counted: the machine's counters of each launch, and those that a study adds. */
#ifndef SL_LAB_RUN_RUN_OUTCOME_H
#define SL_LAB_RUN_RUN_OUTCOME_H

#include <jansson.h>

#include "device/device.h"

enum { SL_KEPT_OUTPUT = 400 };

struct sl_run_outcome {
  struct sl_error error; /* its code; the sentence unless that is SL_OK */
  int status;
  json_t *counters, *launches;
  const char *pipeline; /* of the counters; NULL: a command's own */
  char output[SL_KEPT_OUTPUT];
  size_t output_size;
};

/* Begins the counters of a machine; adds those of a launch. */
void sl_outcome_names(struct sl_run_outcome *outcome, const struct sl_machine *machine);
void sl_outcome_launch(struct sl_run_outcome *outcome, const struct sl_machine *machine,
                       const struct sl_launch *launch);

/* The sum of the counter `cycles` over the launches. */
json_int_t sl_outcome_cycles(const struct sl_run_outcome *outcome);

/* Keeps the end of the console output for the message of a failed run. */
int sl_outcome_put_byte(void *outcome, uint8_t byte);

/* Adds a counter to all launches: of one of them, or 0. */
void sl_outcome_add(struct sl_run_outcome *outcome, const char *name, size_t launch, int64_t value);

/* Adds the numbers in the places {NAME} of a text that a program or its build prints, for the last launch. */
void sl_outcome_add_printed(struct sl_run_outcome *outcome, const char *wanted, const char *text, const char *what);

/* Adds the expressions of the study's `counts`, from the counters of each launch. */
void sl_outcome_add_counts(const json_t *run, struct sl_run_outcome *outcome);

/* Adds sampled timing: progress of the machine, the timed part of it, windows, and half of the 95 % confidence interval
 * of cycles; -1: unknown. */
void sl_outcome_add_sampled(const struct sl_machine *machine, const struct sl_sampled *sampled,
                            struct sl_run_outcome *outcome);

/* Adds the energy of all launches and of each event, in femtojoules, for the last launch. */
void sl_outcome_add_energy(struct sl_run_outcome *outcome, const char *name, const struct sl_config *config,
                           const uint64_t *totals);

#endif
