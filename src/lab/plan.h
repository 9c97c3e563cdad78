/* The runs of a study: its combinations that satisfy the filters, each with its hash (lab/run_hash.h). */
#ifndef SL_LAB_PLAN_H
#define SL_LAB_PLAN_H

#include "host/runtimes.h"
#include "lab/run_hash.h"
#include "lab/study/study.h"

enum { SL_LIBRARY_PATH = 4096 };

/* Facts about the simulator, for the record. */
struct sl_lab_build {
  const char *version, *commit, *host;
  char hash[SL_SHA256_TEXT];                  /* of the command's own file: another build may simulate differently */
  char library[SL_RUNTIMES][SL_LIBRARY_PATH]; /* of the runtimes of host programs; "": not installed */
};

struct sl_plan_run {
  uint64_t point;
  char hash[SL_SHA256_TEXT], task[SL_SHA256_TEXT];
};

struct sl_plan {
  const struct sl_study *study;
  const struct sl_lab_build *build;
  struct sl_config *machines;                                     /* as they are without the study's keys */
  char (*programs)[SL_SHA256_TEXT];                               /* digests */
  bool *used;                                                     /* whether a run has the program */
  char **printed;                                                 /* by the programs' build commands, or NULL */
  json_t *machine_names, *program_paths, *program_files, *folder; /* absolute paths, by number */
  struct sl_plan_run *runs;
  size_t count;
};

/* Opens the machines of a study, and expands it. Between the two, the caller builds the programs that are not up to
 * date. Errors begin with FILE:LINE. Free the plan also after an error. */
enum sl_status sl_plan_open(struct sl_plan *plan, const struct sl_study *study, const struct sl_lab_build *build,
                            struct sl_error *err);
enum sl_status sl_plan_make(struct sl_plan *plan, struct sl_error *err);

void sl_plan_free(struct sl_plan *plan);

/* The description of run number i, with its hash; NULL: out of memory. */
json_t *sl_plan_json(const struct sl_plan *plan, size_t i);

/* The machine of run number i. Close it. */
enum sl_status sl_plan_config(const struct sl_plan *plan, size_t i, struct sl_config *config, struct sl_error *err);

/* A short text, "VecAdd small on simtight lanes=8"; the program's digest; its pipeline. */
void sl_plan_describe(const struct sl_plan *plan, size_t i, char *text, size_t size);
const char *sl_plan_program(const struct sl_plan *plan, size_t i);
const char *sl_plan_pipeline(const struct sl_plan *plan, size_t i);

#endif
