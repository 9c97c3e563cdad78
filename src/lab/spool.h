/* The spool: a folder with one file per finished run, SPOOL/HH/HASH.json, where HASH is the run's hash and HH its first
 * two digits. Workers write it, anywhere where the folder is; one process merges it into the record. A file appears
 * when it is complete.
 *
 * A file is a JSON object: schema (1), run (lab/run_hash.h), program {hash, path, name, toolchain}, machine {hash,
 * name, pipeline, settings, keys}, build {hash, host, version, commit}, outcome (as of simtlab run, or "crash"),
 * status, message, cycles, seconds, at (seconds since 1970), pipeline (of the counters; absent for a command), counters
 * [name] and launches [[value]]. */
#ifndef SL_LAB_SPOOL_H
#define SL_LAB_SPOOL_H

#include "lab/plan.h"
#include "lab/record.h"

enum { SL_SPOOL_PATH = 4096, SL_MESSAGE = 400 };

/* A result without outcome and counters. */
json_t *sl_result_json(const json_t *run, const struct sl_config *config, const char *program,
                       const struct sl_lab_build *build);

/* Adds how the run ended. */
void sl_result_end(json_t **result, const char *outcome, int status, const char *message, double seconds);

/* Whether the run has a file; writes one; drops the reference. `lasting`: it waits until the file is on the disk. A
 * file that a power cut has left incomplete is removed by sl_spool_merge_all. */
bool sl_spool_has(const char *spool, const char *hash);
enum sl_status sl_spool_write(const char *spool, json_t *result, bool lasting, struct sl_error *err);

/* Add the result of one run, or of its file, to the record, within a transaction. Remove the file after the commit.
 * *merged: how it ended. */
struct sl_merged {
  bool missing; /* there is no file; another sweep that merges one removes it after its commit */
  bool passed;
  double seconds;
  uint64_t megabytes;       /* that it took at most; 0: not measured */
  char message[SL_MESSAGE]; /* the beginning of it */
};
enum sl_status sl_result_merge(const json_t *result, struct sl_record *record, struct sl_merged *merged,
                               struct sl_error *err);
enum sl_status sl_spool_merge(const char *spool, const char *hash, struct sl_record *record, struct sl_merged *merged,
                              struct sl_error *err);
void sl_spool_remove(const char *spool, const char *hash);

/* Merges and removes all files; tells each one that is merged, if `tell` is not NULL. */
typedef void sl_spool_tell(void *context, const char *hash, const struct sl_merged *merged);
enum sl_status sl_spool_merge_all(const char *spool, struct sl_record *record, sl_spool_tell *tell, void *context,
                                  struct sl_error *err);

/* Removes the folders that are empty. */
void sl_spool_close(const char *spool);

#endif
