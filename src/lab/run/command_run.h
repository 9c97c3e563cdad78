/* Runs that are processes of their own: shell commands, and host programs that launch kernels on a simulated GPU. */
#ifndef SL_LAB_RUN_COMMAND_RUN_H
#define SL_LAB_RUN_COMMAND_RUN_H

#include "config/config.h"
#include "lab/run/run_outcome.h"

/* Runs a command, which writes a JSON object of counters into a file beside the spool. */
void sl_command_run(const json_t *run, const char *spool, struct sl_run_outcome *outcome);

/* Runs a CUDA or OpenCL program (kind "cuda" or "opencl"; `library` is its runtime library). The counters of each
 * launch are those of its statistics. */
void sl_host_program_run(const json_t *run, const char *spool, const struct sl_config *config,
                         struct sl_run_outcome *outcome);

/* Replaces the places in a command's text: {machine}, {set} (as options of simtlab run), {size}, {seed}, {result}.
 * False: the text is too long. */
bool sl_run_expand(const json_t *run, const char *result, char *text, size_t size);

#endif
