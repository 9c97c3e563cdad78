/* Counters in the record: a table counters_SET per set of counter names, with a row per launch and a column per
 * counter, and a view totals_PIPELINE with the totals of each run. */
#ifndef SL_LAB_RECORD_COUNTERS_H
#define SL_LAB_RECORD_COUNTERS_H

#include "lab/record.h"

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
