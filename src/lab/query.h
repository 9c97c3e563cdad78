/* Groups runs and summarises metrics: means or geometric means with confidence intervals, absolute or relative to the
 * runs of one machine or of one value of a key. */
#ifndef SL_LAB_QUERY_H
#define SL_LAB_QUERY_H

#include "lab/record.h"
#include "lab/study/study.h"

/* The runs of a record as columns in memory, for queries. Only the columns that a query names are read.
 *
 * A name is one of: machine, pipeline, settings, program, path, arguments, size, seed, mode, version, commit, host,
 * outcome (texts of a run), a key of the machines, or a number: cycles, seconds, a counter (its total over the
 * launches), or a metric of the record. */

enum { SL_TABLE_NAMES = 64 };

struct sl_run_column {
  char name[96];
  bool is_text;
  uint32_t *texts; /* one per run: number of the text */
  double *numbers; /* one per run; not a number: the run does not have it */
};

/* Different texts, each once. */
struct sl_text_pool {
  struct sl_pooled_text {
    char *text;
    struct sl_datum datum;
  } * texts;
  size_t count, room;
  uint32_t *slots; /* hash table of numbers + 1 */
  size_t slot_count;
};

struct sl_run_table {
  struct sl_record *record;
  struct sl_text_pool pool;
  int64_t *ids;
  uint32_t *configs, *programs, *builds;
  size_t count, room;
  struct sl_run_column columns[SL_TABLE_NAMES];
  size_t column_count;
  struct sl_metric *metrics; /* of the record */
  size_t metric_count;
};

/* Reads the runs that have ended: those that have passed, or all. Free the table also after an error. */
enum sl_status sl_run_table_open(struct sl_run_table *table, struct sl_record *record, bool all, struct sl_error *err);
void sl_run_table_free(struct sl_run_table *table);

/* The column of a name, which is read if it is new. SL_USAGE: there is none of that name. */
enum sl_status sl_run_table_column(struct sl_run_table *table, const char *name, const struct sl_run_column **column,
                                   struct sl_error *err);

/* A column of the texts of `settings` without the assignment to one key. */
enum sl_status sl_run_table_other_settings(struct sl_run_table *table, const char *key,
                                           const struct sl_run_column **column, struct sl_error *err);

/* A column of numbers for an expression over names. */
enum sl_status sl_run_table_compute(struct sl_run_table *table, const char *expression,
                                    const struct sl_run_column **column, struct sl_error *err);

/* The text of a run in a column of texts. */
const char *sl_run_table_text(const struct sl_run_table *table, const struct sl_run_column *column, size_t run);

/* Keeps the runs for which an expression holds. */
enum sl_status sl_run_table_filter(struct sl_run_table *table, const char *expression, struct sl_error *err);

/* How many runs were made again on another build of simtlab; with `drop`, only the latest of them remain. The table has
 * just been opened, with the runs that have passed. */
enum sl_status sl_run_table_once(struct sl_run_table *table, bool drop, size_t *repeated, struct sl_error *err);

enum { SL_QUERY_NAMES = 6 };

struct sl_query {
  const char *by[SL_QUERY_NAMES];
  size_t by_count;
  const char *metrics[SL_QUERY_NAMES]; /* names or expressions */
  size_t metric_count;
  /* NULL, "NAME=VALUE", or a machine: each run's metric is divided by the mean of the runs with that value which have
   * the same program, arguments, size, seed and mode, and the same machine and settings but for NAME. */
  const char *normalise;
  bool geomean;
};

struct sl_query_cell {
  size_t count; /* of runs that have the metric */
  double mean;
  double low, high; /* 95 % confidence interval; not numbers for fewer than two runs */
};

struct sl_query_group {
  uint32_t texts[SL_QUERY_NAMES]; /* in the table's pool */
  struct sl_query_cell cells[SL_QUERY_NAMES];
};

struct sl_query_result {
  struct sl_query_group *groups; /* sorted by the values of `by` */
  size_t count;
  size_t without_base; /* runs that have no runs to be divided by */
};

enum sl_status sl_query(struct sl_run_table *table, const struct sl_query *query, struct sl_query_result *result,
                        struct sl_error *err);

/* Half of the 95 % confidence interval of a mean in standard errors, by Student's distribution; `count` at least 2. */
double sl_student(size_t count);

#endif
