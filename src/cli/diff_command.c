/* simtlab diff: compares the recorded runs of two databases. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/options.h"
#include "cli/printed_rows.h"
#include "lab/run_diff.h"
#include "observe/terminal.h"

enum { MOST_SHOWN = 40 };

struct diff {
  const char *metric, *threshold, *format;
  struct sl_record *records[2];
  struct sl_run_table tables[2];
  struct sl_run_diff result;
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
    const struct sl_run_pair *pair = &diff->result.pairs[i];
    if (!pair->beyond || shown++ >= most)
      continue;
    code = sl_run_describe(&diff->tables[0], pair->run[0], name, sizeof name, err);
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
    code = sl_run_diff(diff->tables, diff->metric, threshold, &diff->result, err);
  if (code != SL_OK)
    return code;
  const struct sl_run_diff *result = &diff->result;
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
