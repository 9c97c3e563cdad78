/* Executes one run and returns its result as a spool file has it. */
#ifndef SL_LAB_RUN_EXECUTE_H
#define SL_LAB_RUN_EXECUTE_H

#include "lab/spool.h"
#include "program/program.h"

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
