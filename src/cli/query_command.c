/* simtlab query: summarises the recorded runs of studies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/printed_rows.h"
#include "lab/query.h"
#include "observe/terminal.h"

struct choice {
  const char *by, *normalise, *where, *format, *sql;
  struct sl_list metrics;
  bool geomean, check, any_build;
};

/* ---- SQL --------------------------------------------------------------------------------------------------------- */

/* The database is open for reading only. */
static enum sl_status print_sql(struct sl_record *record, const char *sql, enum sl_rows_format format,
                                struct sl_error *err)
{
  struct sl_rows rows = {0};
  sqlite3_stmt *s = NULL;
  enum sl_status code = sl_record_prepare(record, sql, &s, err);
  if (code == SL_OK && sqlite3_column_count(s) == 0)
    code = sl_fail(err, SL_USAGE, "--sql takes a statement that returns rows, such as SELECT");
  int step = SQLITE_DONE;
  while (code == SL_OK && (step = sqlite3_step(s)) == SQLITE_ROW) {
    const int columns = sqlite3_column_count(s);
    for (int i = 0; i < columns && rows.columns < (size_t)columns; i++)
      sl_rows_title(&rows, sqlite3_column_type(s, i) == SQLITE_INTEGER || sqlite3_column_type(s, i) == SQLITE_FLOAT,
                    "%s", sqlite3_column_name(s, i));
    for (int i = 0; i < columns; i++) {
      const char *text = sqlite3_column_type(s, i) == SQLITE_BLOB ? "(blob)" : (const char *)sqlite3_column_text(s, i);
      sl_rows_cell(&rows, "%s", text != NULL ? text : "");
    }
  }
  if (code == SL_OK && step != SQLITE_DONE)
    code = sl_record_fail(record, err);
  sqlite3_finalize(s);
  if (code == SL_OK && rows.columns > 0)
    code = sl_rows_print(&rows, format, err);
  sl_rows_free(&rows);
  return code;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* Splits the list of --by in place. */
static enum sl_status split(char *list, struct sl_query *query, struct sl_error *err)
{
  for (char *rest = list, *name; (name = strtok_r(rest, ",", &rest)) != NULL;) {
    if (query->by_count == SL_QUERY_NAMES)
      return sl_fail(err, SL_USAGE, "--by takes at most %d names", SL_QUERY_NAMES);
    for (size_t i = 0; i < query->by_count; i++)
      if (strcmp(query->by[i], name) == 0)
        return sl_fail(err, SL_USAGE, "--by has '%.80s' twice", name);
    query->by[query->by_count++] = name;
  }
  return SL_OK;
}

/* Text has the interval in one column, to save width; other formats have its ends in two. */
static void fill_rows(struct sl_rows *rows, const struct sl_run_table *table, const struct sl_query *query,
                      const struct sl_query_result *result, bool text)
{
  for (size_t i = 0; i < query->by_count; i++) {
    bool numbers = true;
    for (size_t k = 0; k < result->count; k++)
      numbers = numbers && table->pool.texts[result->groups[k].texts[i]].datum.text == NULL;
    sl_rows_title(rows, numbers, "%s", query->by[i]);
  }
  sl_rows_title(rows, true, "runs");
  for (size_t i = 0; i < query->metric_count; i++) {
    sl_rows_title(rows, true, "%s", query->metrics[i]);
    if (text) {
      sl_rows_title(rows, true, "95 %% interval");
    } else {
      sl_rows_title(rows, true, "%s low", query->metrics[i]);
      sl_rows_title(rows, true, "%s high", query->metrics[i]);
    }
  }
  for (const struct sl_query_group *group = result->groups; group < result->groups + result->count; group++) {
    size_t most = 0;
    for (size_t i = 0; i < query->metric_count; i++)
      most = group->cells[i].count > most ? group->cells[i].count : most;
    for (size_t i = 0; i < query->by_count; i++)
      sl_rows_cell(rows, "%s", table->pool.texts[group->texts[i]].text);
    sl_rows_cell(rows, "%zu", most);
    for (size_t i = 0; i < query->metric_count; i++) {
      const struct sl_query_cell *cell = &group->cells[i];
      sl_rows_number(rows, cell->mean, 6, false);
      if (!text) {
        sl_rows_number(rows, cell->low, 6, false);
        sl_rows_number(rows, cell->high, 6, false);
      } else if (isfinite(cell->low)) {
        sl_rows_cell(rows, "%.4g to %.4g", cell->low, cell->high);
      } else {
        sl_rows_cell(rows, "%s", "");
      }
    }
  }
}

/* Runs that several builds of simtlab have made count each time, or once with --any-build. */
static enum sl_status choose_builds(struct sl_run_table *table, bool once, struct sl_error *err)
{
  size_t repeated = 0;
  unsigned builds = 0;
  enum sl_status code = sl_record_builds(table->record, &builds, err);
  if (code == SL_OK && builds > 1)
    code = sl_run_table_once(table, once, &repeated, err);
  if (code == SL_OK && repeated > 0 && !once)
    sl_print(stderr,
             "simtlab: %zu runs were made again on another build of simtlab and count each time; with --any-build "
             "only the latest counts\n",
             repeated);
  return code;
}

static enum sl_status print_groups(struct sl_record *record, const struct choice *choice, enum sl_rows_format format,
                                   struct sl_error *err)
{
  struct sl_query query = {
      .normalise = choice->normalise, .geomean = choice->geomean, .metrics = {"cycles"}, .metric_count = 1};
  struct sl_query_result result = {0};
  struct sl_run_table table;
  struct sl_rows rows = {0};
  char *by = strdup(choice->by != NULL ? choice->by : "machine,program");
  if (by == NULL)
    return sl_no_memory(err, 1);
  if (choice->metrics.count > SL_QUERY_NAMES) {
    free(by);
    return sl_fail(err, SL_USAGE, "--metric can be given %d times", SL_QUERY_NAMES);
  }
  for (size_t i = 0; i < choice->metrics.count; i++)
    query.metrics[i] = choice->metrics.items[i];
  query.metric_count = choice->metrics.count > 0 ? choice->metrics.count : 1;
  enum sl_status code = split(by, &query, err);
  if (code == SL_OK) {
    code = sl_run_table_open(&table, record, false, err);
    if (code == SL_OK)
      code = choose_builds(&table, choice->any_build, err);
    if (code == SL_OK && choice->where != NULL)
      code = sl_run_table_filter(&table, choice->where, err);
    if (code == SL_OK)
      code = sl_query(&table, &query, &result, err);
    if (code == SL_OK) {
      fill_rows(&rows, &table, &query, &result, format == SL_ROWS_TEXT);
      code = sl_rows_print(&rows, format, err);
    }
    if (code == SL_OK && result.without_base > 0)
      sl_print(stderr, "simtlab: %zu runs are left out, because %s has no run to compare them with\n",
               result.without_base, choice->normalise);
    sl_run_table_free(&table);
  }
  sl_rows_free(&rows);
  free(result.groups);
  free(by);
  return code;
}

static enum sl_status query_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct choice choice = {0};
  const struct sl_option options[] = {
      {0, "by", SL_OPTION_TEXT, "KEY,...", "group runs by keys, machine, program, size, seed ... [machine,program]",
       &choice.by},
      {0, "metric", SL_OPTION_LIST, "METRIC", "counter, metric of a study, or expression [cycles]", &choice.metrics},
      {0, "where", SL_OPTION_TEXT, "EXPRESSION", "only runs for which this holds, such as 'lanes >= 8'", &choice.where},
      {0, "normalise", SL_OPTION_TEXT, "MACHINE|KEY=VALUE", "divide by the runs of this machine or value",
       &choice.normalise},
      {0, "geomean", SL_OPTION_FLAG, NULL, "geometric instead of arithmetic means", &choice.geomean},
      {0, "any-build", SL_OPTION_FLAG, NULL, "runs of several builds of simtlab count once: the latest",
       &choice.any_build},
      {0, "format", SL_OPTION_TEXT, SL_ROWS_FORMATS, "of the output [text]", &choice.format},
      {0, "sql", SL_OPTION_TEXT, "STATEMENT", "print what SQLite answers", &choice.sql},
      {0, "check", SL_OPTION_FLAG, NULL, "check that the database is not damaged", &choice.check},
      {0},
  };
  struct sl_operands operands;
  enum sl_rows_format format;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count != 1)
    return sl_fail(err, SL_USAGE, "query takes one database: simtlab query results/NAME.db");
  code = sl_rows_choose(choice.format, &format, err);
  if (code != SL_OK)
    return code;
  struct sl_record *record = NULL;
  code = sl_record_open(&record, operands.items[0], false, err);
  if (code == SL_OK && choice.check) {
    code = sl_record_check(record, err);
    if (code == SL_OK)
      sl_print(stdout, "%s: ok\n", operands.items[0]);
  } else if (code == SL_OK) {
    code = choice.sql != NULL ? print_sql(record, choice.sql, format, err) : print_groups(record, &choice, format, err);
  }
  sl_record_close(record);
  return code;
}

const struct sl_command sl_query_command = {
    .name = "query",
    .operands = "[OPTION]... DATABASE",
    .summary = "Summarise recorded runs by keys, machines and programs",
    .details = "Only runs that passed count. Intervals are 95 % confidence intervals of the mean over the runs of a "
               "group.\n",
    .listing = true,
    .run = query_command,
};
