/* The record of all runs: an SQLite database. docs/reference/laboratory.md describes its tables.
 *
 * A run is named by the hash of all that determines its result, so a run of one study is found by every other.
 * Processes of one computer may use a record at the same time: each claims a run before it starts it, and the claim of
 * a process that has ended is void. Only one process at a time writes, for microseconds. */
#ifndef SL_LAB_RECORD_H
#define SL_LAB_RECORD_H

#include <jansson.h>
#include <sqlite3.h>

#include "base/sha256.h"

enum { SL_RECORD_VERSION = 3, SL_RECORD_PATH = 4096 };

struct sl_record;

/* Opens a record; `writes`: creates it if it does not exist, and migrates an older one. SL_USAGE: it is newer than this
 * simtlab, no record, or on a network file system. */
enum sl_status sl_record_open(struct sl_record **record, const char *path, bool writes, struct sl_error *err);
void sl_record_close(struct sl_record *record);

/* Whether a file system is a network's, by its number in statfs. SQLite's log needs shared memory, which those lack. */
bool sl_is_network_file_system(uint64_t type);

/* Refuses a path on a network file system. */
enum sl_status sl_record_check_place(const char *path, struct sl_error *err);

/* The database, for queries. */
sqlite3 *sl_record_database(const struct sl_record *record);

/* Prepares a statement. */
enum sl_status sl_record_prepare(const struct sl_record *record, const char *sql, sqlite3_stmt **statement,
                                 struct sl_error *err);

/* Fails with the sentence of the latest SQLite error. */
enum sl_status sl_record_fail(const struct sl_record *record, struct sl_error *err);

/* Several changes as one transaction: all are recorded, or none. */
enum sl_status sl_record_begin(struct sl_record *record, struct sl_error *err);
enum sl_status sl_record_commit(struct sl_record *record, struct sl_error *err);

/* State of a run. */
enum sl_recorded {
  SL_RECORDED_NOT,    /* new, or claimed by a process that has ended */
  SL_RECORDED_CLAIM,  /* a living process runs it */
  SL_RECORDED_PASSED, /* done */
  SL_RECORDED_FAILED  /* done, and the run did not pass */
};
enum sl_status sl_record_find(struct sl_record *record, const char *hash, enum sl_recorded *state,
                              struct sl_error *err);

/* Whether a run of this task and program (lab/sweep.h) has passed, on any build of simtlab. */
enum sl_status sl_record_find_task(struct sl_record *record, const char *task, const char *program, bool *passed,
                                   struct sl_error *err);

/* How many builds of simtlab have made runs; 0: the database does not know tasks. */
enum sl_status sl_record_builds(struct sl_record *record, unsigned *count, struct sl_error *err);

/* Claims a run for this process, within a transaction. With `again`, also one that has failed. *claimed: no other
 * process has it, and it is not done. */
enum sl_status sl_record_claim(struct sl_record *record, const char *hash, bool again, bool *claimed,
                               struct sl_error *err);

/* Drops the claims of this process, and those of processes that have ended. */
enum sl_status sl_record_release(struct sl_record *record, struct sl_error *err);

/* Adds the result of a run (lab/sweep.h). SL_CHECK_FAILED: the run is recorded with other counters; the sentence names
 * both hosts. */
enum sl_status sl_record_add_result(struct sl_record *record, const json_t *result, struct sl_error *err);

/* Keeps the definition of a study's metric. */
enum sl_status sl_record_keep_metric(struct sl_record *record, const char *name, const char *text,
                                     struct sl_error *err);

/* Mean seconds of the passed runs of a program on a pipeline; below 0: there are none. */
double sl_record_seconds(struct sl_record *record, const char *program, const char *pipeline);

/* The most megabytes that a run of a program took on a pipeline; 0: unknown. */
uint64_t sl_record_megabytes(struct sl_record *record, const char *program, const char *pipeline);

/* Checks the whole database. SL_CHECK_FAILED: it is damaged. */
enum sl_status sl_record_check(struct sl_record *record, struct sl_error *err);

/* ---- counters ---------------------------------------------------------------------------------------------------- */

/* Counters in the record: a table counters_SET per set of counter names, with a row per launch and a column per
 * counter, and a view totals_PIPELINE with the totals of each run. */

enum { SL_COUNTER_SET = 16, SL_COUNTER_NAME = 64, SL_COUNTERS_MOST = 512 };

/* A set, as far as results need it. */
struct sl_counter_set {
  char name[SL_COUNTER_SET];
  size_t count;
  sqlite3_stmt *insert;
};

struct sl_counter_sets {
  sqlite3 *database;
  struct sl_counter_set *sets; /* used so far */
  size_t count;
  json_t *last_names; /* of the last result: other results often share its list */
  char last[SL_COUNTER_SET];
};

void sl_counter_sets_open(struct sl_counter_sets *sets, sqlite3 *database);
void sl_counter_sets_close(struct sl_counter_sets *sets);

/* Adds the launches of a result to a run; `replaces`: first removes those of an earlier result. `set` receives the
 * set's name, "" if the result has no counters. */
enum sl_status sl_counters_add(struct sl_counter_sets *sets, int64_t run, bool replaces, const json_t *result,
                               char set[SL_COUNTER_SET], struct sl_error *err);

/* Whether a run is recorded with the counters of a result. */
bool sl_counters_equal(struct sl_counter_sets *sets, int64_t run, const json_t *result);

/* Whether a counter can be a column: letters, digits, '_' and '.', and no name that the table has. */
bool sl_is_counter_name(const char *name);

#endif
