/* Groups runs and summarises metrics: means or geometric means with confidence intervals, absolute or relative to the
 * runs of one machine or of one value of a key. */
#ifndef SL_LAB_QUERY_H
#define SL_LAB_QUERY_H

#include "lab/run_table.h"

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
