/* simtlab diff: compares the recorded runs of two databases. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/printed_rows.h"
#include "lab/query.h"
#include "observe/terminal.h"

/* Compares the runs of two records. Runs are the same if machine, settings, program (by name), arguments, size, seed
 * and mode are; of several in one record the latest counts. What may differ is the build, the program's code, and the
 * values of keys that the study does not set. */

struct run_pair {
  size_t run[2];   /* in the two tables */
  double value[2]; /* of the metric */
  double change;   /* value[1] / value[0] - 1; not finite: one is missing, or the first is 0 */
  bool outcome;    /* the outcomes differ */
  bool beyond;     /* outcome differs, or the change is beyond the threshold */
};

struct run_diff {
  struct run_pair *pairs; /* in the order of the first table */
  size_t count, beyond;
  size_t only[2];
  double ratio; /* geometric mean of value[1] / value[0]; not a number without pairs */
};

/* ---- pairs of runs ----------------------------------------------------------------------------------------------- */

enum { NAMES = 7, LONGEST = 1024 };

static const char *const names[NAMES] = {"program", "arguments", "size", "seed", "mode", "machine", "settings"};

/* The runs of a table by their text, sorted. */
struct entry {
  char *text;
  size_t run;
};

struct side {
  struct sl_run_table *table;
  const struct sl_run_column *columns[NAMES], *metric, *outcome;
  struct entry *entries;
  size_t count;
};

static int compare_entries(const void *a, const void *b)
{
  const struct entry *x = a, *y = b;
  const int order = strcmp(x->text, y->text);
  return order != 0 ? order : (x->run > y->run) - (x->run < y->run);
}

static enum sl_status open_side(struct side *side, const char *metric, struct sl_error *err)
{
  enum sl_status code = sl_run_table_compute(side->table, metric, &side->metric, err);
  if (code == SL_OK)
    code = sl_run_table_column(side->table, "outcome", &side->outcome, err);
  for (unsigned i = 0; i < NAMES && code == SL_OK; i++)
    code = sl_run_table_column(side->table, names[i], &side->columns[i], err);
  side->entries = calloc(side->table->count + 1, sizeof *side->entries);
  if (code == SL_OK && side->entries == NULL)
    code = sl_no_memory(err, side->table->count * sizeof *side->entries);
  for (size_t run = 0; run < side->table->count && code == SL_OK; run++) {
    char text[LONGEST];
    size_t used = 0;
    for (unsigned i = 0; i < NAMES && used < sizeof text; i++)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s\n",
                               sl_run_table_text(side->table, side->columns[i], run));
    side->entries[side->count] = (struct entry){strdup(text), run};
    if (side->entries[side->count++].text == NULL)
      code = sl_no_memory(err, LONGEST);
  }
  if (code != SL_OK)
    return code;
  qsort(side->entries, side->count, sizeof *side->entries, compare_entries);
  size_t kept = 0; /* the last of equal texts is the latest run */
  for (size_t i = 0; i < side->count; i++)
    if (i + 1 < side->count && strcmp(side->entries[i].text, side->entries[i + 1].text) == 0)
      free(side->entries[i].text);
    else
      side->entries[kept++] = side->entries[i];
  side->count = kept;
  return SL_OK;
}

static void close_side(struct side *side)
{
  for (size_t i = 0; i < side->count; i++)
    free(side->entries[i].text);
  free(side->entries);
}

static struct run_pair pair_of(const struct side sides[2], size_t a, size_t b, double threshold)
{
  struct run_pair pair = {.run = {sides[0].entries[a].run, sides[1].entries[b].run}};
  const char *outcomes[2];
  for (unsigned i = 0; i < 2; i++) {
    pair.value[i] = sides[i].metric->numbers[pair.run[i]];
    outcomes[i] = sl_run_table_text(sides[i].table, sides[i].outcome, pair.run[i]);
  }
  pair.outcome = strcmp(outcomes[0], outcomes[1]) != 0;
  pair.change = pair.value[0] == pair.value[1] ? 0 : pair.value[1] / pair.value[0] - 1;
  const bool both_unknown = isnan(pair.value[0]) && isnan(pair.value[1]);
  pair.beyond = pair.outcome || (!both_unknown && !(fabs(pair.change) <= threshold));
  return pair;
}

static int compare_pairs(const void *a, const void *b)
{
  const struct run_pair *x = a, *y = b;
  return (x->run[0] > y->run[0]) - (x->run[0] < y->run[0]);
}

static void merge_sides(const struct side sides[2], double threshold, struct run_diff *diff)
{
  double logarithms = 0, counted = 0;
  size_t a = 0, b = 0;
  while (a < sides[0].count || b < sides[1].count) {
    const int order = a == sides[0].count   ? 1
                      : b == sides[1].count ? -1
                                            : strcmp(sides[0].entries[a].text, sides[1].entries[b].text);
    if (order != 0) {
      diff->only[order > 0]++;
      a += order < 0;
      b += order > 0;
      continue;
    }
    const struct run_pair pair = diff->pairs[diff->count++] = pair_of(sides, a++, b++, threshold);
    const double logarithm = log(pair.value[1] / pair.value[0]);
    diff->beyond += pair.beyond;
    if (isfinite(logarithm)) {
      logarithms += logarithm;
      counted++;
    }
  }
  diff->ratio = counted > 0 ? exp(logarithms / counted) : NAN;
  qsort(diff->pairs, diff->count, sizeof *diff->pairs, compare_pairs);
}

/* threshold: as a fraction. Both tables must have all runs (sl_run_table_open). */
static enum sl_status compare_tables(struct sl_run_table tables[2], const char *metric, double threshold,
                                     struct run_diff *diff, struct sl_error *err)
{
  struct side sides[2] = {{.table = &tables[0]}, {.table = &tables[1]}};
  *diff = (struct run_diff){0};
  enum sl_status code = open_side(&sides[0], metric, err);
  if (code == SL_OK)
    code = open_side(&sides[1], metric, err);
  diff->pairs = calloc(tables[0].count + 1, sizeof *diff->pairs);
  if (code == SL_OK && diff->pairs == NULL)
    code = sl_no_memory(err, tables[0].count * sizeof *diff->pairs);
  if (code == SL_OK)
    merge_sides(sides, threshold, diff);
  close_side(&sides[0]);
  close_side(&sides[1]);
  return code;
}

/* A description of a run, "VecAdd small on simtight lanes=8". */
static enum sl_status describe(struct sl_run_table *table, size_t run, char *text, size_t size, struct sl_error *err)
{
  static const char *const parts[][2] = {{"program", ""}, {"arguments", " "}, {"machine", " on "}, {"settings", " "}};
  size_t used = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
    const struct sl_run_column *column;
    const enum sl_status code = sl_run_table_column(table, parts[i][0], &column, err);
    if (code != SL_OK)
      return code;
    const char *part = sl_run_table_text(table, column, run);
    if (part[0] != '\0' && used < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s", parts[i][1], part);
  }
  return SL_OK;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

enum { MOST_SHOWN = 40 };

struct diff {
  const char *metric, *threshold, *format;
  struct sl_record *records[2];
  struct sl_run_table tables[2];
  struct run_diff result;
};

/* "1" and "1%" are one per cent. */
static enum sl_status read_threshold(const char *text, double *threshold, struct sl_error *err)
{
  char *end = NULL;
  *threshold = text != NULL ? strtod(text, &end) / 100 : 0;
  if (end != NULL && *end == '%')
    end++;
  if (text != NULL && (end == text || *end != '\0' || !(*threshold >= 0)))
    return sl_fail(err, SL_USAGE, "--threshold takes a number of per cent from 0, such as 1.5, not '%.40s'", text);
  return SL_OK;
}

static enum sl_status add_rows(struct diff *diff, struct sl_rows *rows, size_t most, struct sl_error *err)
{
  char name[300];
  const struct sl_run_column *outcomes[2];
  size_t shown = 0;
  enum sl_status code = SL_OK;
  for (unsigned i = 0; i < 2 && code == SL_OK; i++)
    code = sl_run_table_column(&diff->tables[i], "outcome", &outcomes[i], err);
  const char *const titles[] = {"A", "B", "change %"};
  sl_rows_title(rows, false, "run");
  for (unsigned i = 0; i < 3; i++)
    sl_rows_title(rows, true, "%s", titles[i]);
  sl_rows_title(rows, false, "outcome");
  for (size_t i = 0; i < diff->result.count && code == SL_OK; i++) {
    const struct run_pair *pair = &diff->result.pairs[i];
    if (!pair->beyond || shown++ >= most)
      continue;
    code = describe(&diff->tables[0], pair->run[0], name, sizeof name, err);
    sl_rows_cell(rows, "%s", name);
    for (unsigned side = 0; side < 2; side++)
      sl_rows_number(rows, pair->value[side], 10, false);
    sl_rows_number(rows, 100 * pair->change, 4, true);
    const char *a = sl_run_table_text(&diff->tables[0], outcomes[0], pair->run[0]),
               *b = sl_run_table_text(&diff->tables[1], outcomes[1], pair->run[1]);
    sl_rows_cell(rows, "%s%s%s", a, pair->outcome ? ", then " : "", pair->outcome ? b : "");
  }
  return code;
}

static enum sl_status compare(struct diff *diff, const char *const paths[2], struct sl_error *err)
{
  double threshold;
  enum sl_rows_format format;
  struct sl_rows rows = {0};
  enum sl_status code = read_threshold(diff->threshold, &threshold, err);
  if (code == SL_OK)
    code = sl_rows_choose(diff->format, &format, err);
  for (unsigned i = 0; i < 2 && code == SL_OK; i++) {
    code = sl_record_open(&diff->records[i], paths[i], false, err);
    if (code == SL_OK)
      code = sl_run_table_open(&diff->tables[i], diff->records[i], true, err);
  }
  if (code == SL_OK)
    code = compare_tables(diff->tables, diff->metric, threshold, &diff->result, err);
  if (code != SL_OK)
    return code;
  const struct run_diff *result = &diff->result;
  code = add_rows(diff, &rows, format == SL_ROWS_TEXT ? MOST_SHOWN : SIZE_MAX, err);
  if (code == SL_OK && (result->beyond > 0 || format != SL_ROWS_TEXT))
    code = sl_rows_print(&rows, format, err);
  sl_rows_free(&rows);
  FILE *file = format == SL_ROWS_TEXT ? stdout : stderr;
  sl_print(file, "%zu runs compared, %zu differ in %s", result->count, result->beyond, diff->metric);
  if (threshold > 0)
    sl_print(file, " by more than %g %% or in outcome", 100 * threshold);
  if (isfinite(result->ratio))
    sl_print(file, "; geometric mean of B/A %.6g", result->ratio);
  sl_print(file, "; only in A %zu, only in B %zu\n", result->only[0], result->only[1]);
  if (code == SL_OK && result->count == 0)
    return sl_fail(err, SL_USAGE, "%.200s and %.200s have no run in common", paths[0], paths[1]);
  return code == SL_OK && result->beyond > 0 ? sl_fail(err, SL_CHECK_FAILED, "%s", "") : code;
}

static enum sl_status diff_command(const struct sl_command *command, int argc, char **argv, struct sl_error *err)
{
  struct diff diff = {.metric = "cycles"};
  const struct sl_option options[] = {
      {0, "metric", SL_OPTION_TEXT, "METRIC", "counter, metric of a study, or expression [cycles]", &diff.metric},
      {0, "threshold", SL_OPTION_TEXT, "PERCENT", "changes up to this are no difference [0]", &diff.threshold},
      {0, "format", SL_OPTION_TEXT, SL_ROWS_FORMATS, "of the differences [text]", &diff.format},
      {0},
  };
  struct sl_operands operands;
  enum sl_status code = sl_options_parse(command, options, argc, argv, &operands, err);
  if (code != SL_OK || operands.help)
    return code;
  if (operands.count != 2)
    return sl_fail(err, SL_USAGE, "diff takes two databases: simtlab diff A.db B.db");
  const char *const paths[2] = {operands.items[0], operands.items[1]};
  code = compare(&diff, paths, err);
  free(diff.result.pairs);
  for (unsigned i = 0; i < 2; i++) {
    sl_run_table_free(&diff.tables[i]);
    sl_record_close(diff.records[i]);
  }
  return code;
}

const struct sl_command sl_diff_command = {
    .name = "diff",
    .operands = "[OPTION]... A.db B.db",
    .summary = "Compare the recorded runs of two databases",
    .details = "The same runs are those of one machine, settings, program name, arguments, size, seed and mode. Exit "
               "status 1: "
               "some differ.\n",
    .run = diff_command,
};
