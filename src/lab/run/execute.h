/* Executes the runs of a study, and builds its programs: how a run ended (run_outcome.c), runs that are processes of
 * their own (command_run.c), programs that a study builds (program_build.c), and any run (execute.c). */
#ifndef SL_LAB_RUN_EXECUTE_H
#define SL_LAB_RUN_EXECUTE_H

#include <jansson.h>

#include "config/config.h"
#include "device/device.h"
#include "lab/study/study.h"
#include "lab/sweep.h"
#include "program/program.h"

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

/* How a run ended, and what it counted: the machine's counters of each launch, and those that a study adds. */

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

/* ---- processes --------------------------------------------------------------------------------------------------- */

/* Runs that are processes of their own: shell commands, and host programs that launch kernels on a simulated GPU. */

/* Runs a command, which writes a JSON object of counters into a file beside the spool. */
void sl_command_run(const json_t *run, const char *spool, struct sl_run_outcome *outcome);

/* Runs a program of the host (`kind` is its runtime, `library` the runtime's library). The counters of each
 * launch are those of its statistics. */
void sl_host_program_run(const json_t *run, const char *spool, const struct sl_config *config,
                         struct sl_run_outcome *outcome);

/* Replaces the places in a command's text: {machine}, {set} (as options of simtlab run), {size}, {seed}, {result}.
 * False: the text is too long. */
bool sl_run_expand(const json_t *run, const char *result, char *text, size_t size);

/* ---- builds ------------------------------------------------------------------------------------------------------ */

/* Programs that a study builds. A file FILE.built beside the program's file has the hash of what made it: the build
 * command, its inputs, and the simulator, whose compilers it may use; and the end of what the command printed. */

/* Whether the program's file is up to date; then *printed is what the command printed, which the caller frees. */
bool sl_program_is_built(const struct sl_study_program *program, const char *simulator, char **printed);

/* Runs the build command in the study's folder. An error names the program, and has the end of the output. */
enum sl_status sl_program_build(const struct sl_study *study, size_t program, const char *simulator,
                                struct sl_error *err);

/* ---- any run ----------------------------------------------------------------------------------------------------- */

/* Executes one run and returns its result as a spool file has it. */

/* What successive runs share: the last machine, and the last program. */
struct sl_executor {
  const struct sl_lab_build *build;
  const char *spool; /* where a command writes its result */
  struct sl_config config;
  json_t *machine; /* what describes the configuration */
  char config_digest[SL_SHA256_TEXT];
  struct sl_program *program;
  json_t *inputs; /* of the digest: kind, path and files */
  char program_digest[SL_SHA256_TEXT];
};

void sl_executor_init(struct sl_executor *executor, const struct sl_lab_build *build, const char *spool);
void sl_executor_free(struct sl_executor *executor);

/* Executes a run. A fault, a failed check and every other end of the simulated program is a result. Otherwise SL_USAGE:
 * the run is no longer what was planned, because its program or machine file has changed. */
enum sl_status sl_execute(struct sl_executor *executor, const json_t *run, json_t **result, struct sl_error *err);

#endif
