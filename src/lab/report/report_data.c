#include "lab/report/study_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/runtimes.h"
#include "lab/query.h"
#include "lab/run/execute.h"

enum { BY_MOST = 3, BINS = 64 }; /* bins along each axis */

/* The fields of a chart that name texts, those that are metrics, and their columns. */
struct roles {
  enum sl_chart_field by[BY_MOST], metrics[2];
  size_t by_count, metric_count;
  const struct sl_run_column *texts[BY_MOST], *numbers[2];
};

/* A run in a chart, for sorting into groups. */
struct point {
  uint32_t texts[BY_MOST];
  double at; /* value or bin */
  double values[2];
  size_t run;
  bool front; /* no other run of the same facet has less x and more y */
};

static struct roles roles_of(const struct sl_study_chart *chart)
{
  const bool points = chart->kind >= SL_CHART_SCATTER, heat = chart->kind == SL_CHART_HEAT_MAP;
  struct roles roles = {0};
  const enum sl_chart_field fields[] = {SL_CHART_X, SL_CHART_Y, SL_CHART_COLOUR, SL_CHART_FACET};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    const enum sl_chart_field field = fields[i];
    const bool metric = field == SL_CHART_X        ? points
                        : field == SL_CHART_Y      ? !heat
                        : field == SL_CHART_COLOUR ? heat
                                                   : false;
    if (metric)
      roles.metrics[roles.metric_count++] = field;
    else if (chart->text[field] != NULL)
      roles.by[roles.by_count++] = field;
  }
  return roles;
}

static enum sl_status at_line(const struct sl_study *study, const struct sl_study_chart *chart,
                              enum sl_chart_field field, enum sl_status code, struct sl_error *err)
{
  if (code != SL_OK)
    sl_error_prefix(err, "%.250s:%zu: ", study->origin, chart->lines[field] > 0 ? chart->lines[field] : chart->line);
  return code;
}

/* Reads the columns, so that an error has the line of its field. */
static enum sl_status choose_columns(const struct sl_study *study, const struct sl_study_chart *chart,
                                     struct sl_run_table *table, struct roles *roles, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < roles->by_count && code == SL_OK; i++) {
    const char *name = chart->text[roles->by[i]];
    code = sl_run_table_column(table, name, &roles->texts[i], err);
    if (code == SL_OK && !roles->texts[i]->is_text)
      code = sl_fail(err, SL_USAGE, "'%.80s' is counted; '%s' takes a key, machine, program or the like", name,
                     sl_chart_fields[roles->by[i]]);
    code = at_line(study, chart, roles->by[i], code, err);
  }
  for (size_t i = 0; i < roles->metric_count && code == SL_OK; i++)
    code = at_line(study, chart, roles->metrics[i],
                   sl_run_table_compute(table, chart->text[roles->metrics[i]], &roles->numbers[i], err), err);
  return code;
}

static json_t *json_datum(const struct sl_run_table *table, uint32_t text)
{
  const struct sl_pooled_text *pooled = &table->pool.texts[text];
  return pooled->datum.text == NULL ? json_real(pooled->datum.number) : json_string(pooled->text);
}

static void set_texts(json_t *row, const struct sl_run_table *table, const struct roles *roles, const uint32_t *texts)
{
  for (size_t i = 0; i < roles->by_count; i++)
    json_object_set_new(row, sl_chart_fields[roles->by[i]], json_datum(table, texts[i]));
}

/* The same for a point, whose facet is its last text. */
static void set_point_texts(json_t *row, const struct sl_run_table *table, const struct roles *roles,
                            const struct point *point)
{
  for (size_t i = 0; i < roles->by_count; i++)
    json_object_set_new(row, sl_chart_fields[roles->by[i]],
                        json_datum(table, point->texts[roles->by[i] == SL_CHART_FACET ? BY_MOST - 1 : i]));
}

/* JSON has no infinity; the page leaves out what is not a number. */
static void set_number(json_t *row, const char *name, double value)
{
  json_object_set_new(row, name, isfinite(value) ? json_real(value) : json_null());
}

static enum sl_status add_means(const struct sl_study_chart *chart, struct sl_run_table *table,
                                const struct roles *roles, json_t *rows, struct sl_error *err)
{
  const char *metric = sl_chart_fields[roles->metrics[0]], *mean = chart->text[SL_CHART_MEAN];
  struct sl_query query = {.by_count = roles->by_count,
                           .metrics = {chart->text[roles->metrics[0]]},
                           .metric_count = 1,
                           .normalise = chart->text[SL_CHART_NORMALISE],
                           .geomean = mean != NULL && strcmp(mean, "geometric") == 0};
  struct sl_query_result result;
  for (size_t i = 0; i < roles->by_count; i++)
    query.by[i] = chart->text[roles->by[i]];
  const enum sl_status code = sl_query(table, &query, &result, err);
  for (size_t i = 0; i < result.count && code == SL_OK && i <= SL_REPORT_MARKS; i++) {
    const struct sl_query_cell *cell = &result.groups[i].cells[0];
    if (cell->count == 0)
      continue;
    json_t *row = json_object();
    set_texts(row, table, roles, result.groups[i].texts);
    set_number(row, metric, cell->mean);
    set_number(row, "low", cell->low);
    set_number(row, "high", cell->high);
    json_array_append_new(rows, row);
  }
  free(result.groups);
  return code;
}

static int compare_points(const void *left, const void *right)
{
  const struct point *a = left, *b = right;
  const int order = memcmp(a->texts, b->texts, sizeof a->texts);
  return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

/* By facet, which is the last text, then less x, then more y. */
static int compare_front(const void *left, const void *right)
{
  const struct point *a = left, *b = right;
  const uint32_t a_facet = a->texts[BY_MOST - 1], b_facet = b->texts[BY_MOST - 1];
  if (a_facet != b_facet)
    return a_facet < b_facet ? -1 : 1;
  const int order = (a->values[0] > b->values[0]) - (a->values[0] < b->values[0]);
  return order != 0 ? order : (a->values[1] < b->values[1]) - (a->values[1] > b->values[1]);
}

static void find_front(struct point *points, size_t count)
{
  qsort(points, count, sizeof *points, compare_front);
  for (size_t i = 0, best = 0; i < count; i++) {
    const bool first = i == 0 || points[i].texts[BY_MOST - 1] != points[best].texts[BY_MOST - 1];
    points[i].front = first || points[i].values[1] > points[best].values[1];
    if (points[i].front)
      best = i;
  }
}

/* A quantile of sorted values, between the two nearest. */
static double quantile(const struct point *points, size_t count, double part)
{
  const double at = part * (double)(count - 1);
  const size_t below = (size_t)at, above = below + 1 < count ? below + 1 : below;
  return points[below].at + (at - (double)below) * (points[above].at - points[below].at);
}

static void add_boxes(const struct sl_run_table *table, const struct roles *roles, const struct point *points,
                      size_t count, json_t *rows)
{
  static const char *const names[] = {"least", "lower", "y", "upper", "most"};
  for (size_t first = 0, next; first < count && json_array_size(rows) <= SL_REPORT_MARKS; first = next) {
    for (next = first; next < count && memcmp(points[first].texts, points[next].texts, sizeof points->texts) == 0;)
      next++;
    json_t *row = json_object();
    set_point_texts(row, table, roles, &points[first]);
    for (unsigned i = 0; i < 5; i++)
      set_number(row, names[i], quantile(points + first, next - first, i / 4.0));
    json_array_append_new(rows, row);
  }
}

/* Numbers the bins of points, row by row. */
static void choose_bins(struct point *points, size_t count)
{
  double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
  for (size_t i = 0; i < count; i++)
    for (unsigned k = 0; k < 2; k++) {
      least[k] = fmin(least[k], points[i].values[k]);
      most[k] = fmax(most[k], points[i].values[k]);
    }
  for (size_t i = 0; i < count; i++) {
    double bin[2] = {0, 0};
    for (unsigned k = 0; k < 2; k++)
      if (most[k] > least[k])
        bin[k] = floor((BINS - 1) * (points[i].values[k] - least[k]) / (most[k] - least[k]));
    points[i].at = bin[0] * BINS + bin[1];
  }
}

/* A mark per run; of a sorted list with bins, one per bin. */
static void add_points(const struct sl_run_table *table, const struct roles *roles, const struct point *points,
                       size_t count, bool binned, json_t *rows)
{
  for (size_t i = 0; i < count && json_array_size(rows) <= SL_REPORT_MARKS; i++) {
    if (binned && i > 0 && !points[i].front && compare_points(&points[i], &points[i - 1]) == 0)
      continue;
    json_t *row = json_object();
    set_point_texts(row, table, roles, &points[i]);
    for (unsigned k = 0; k < 2; k++)
      set_number(row, sl_chart_fields[roles->metrics[k]], points[i].values[k]);
    json_object_set_new(row, "run", json_integer(table->ids[points[i].run]));
    if (points[i].front)
      json_object_set_new(row, "front", json_true());
    json_array_append_new(rows, row);
  }
}

static enum sl_status add_runs(const struct sl_study_chart *chart, const struct sl_run_table *table,
                               const struct roles *roles, json_t *json, json_t *rows, struct sl_error *err)
{
  struct point *points = calloc(table->count + 1, sizeof *points);
  size_t count = 0;
  if (points == NULL)
    return sl_no_memory(err, table->count * sizeof *points);
  for (size_t run = 0; run < table->count; run++) {
    struct point *point = &points[count];
    bool known = true;
    for (size_t i = 0; i < roles->metric_count; i++) {
      point->values[i] = roles->numbers[i]->numbers[run];
      known = known && isfinite(point->values[i]);
    }
    for (size_t i = 0; i < roles->by_count; i++)
      point->texts[roles->by[i] == SL_CHART_FACET ? BY_MOST - 1 : i] = roles->texts[i]->texts[run];
    point->at = point->values[0];
    point->run = run;
    count += known;
  }
  const bool box = chart->kind == SL_CHART_BOX, binned = !box && count > SL_REPORT_MARKS;
  if (chart->kind == SL_CHART_PARETO)
    find_front(points, count);
  if (binned) {
    choose_bins(points, count);
    json_object_set_new(json, "binned", json_integer((json_int_t)count));
  }
  if (box || binned)
    qsort(points, count, sizeof *points, compare_points);
  if (box)
    add_boxes(table, roles, points, count, rows);
  else
    add_points(table, roles, points, count, binned, rows);
  free(points);
  return SL_OK;
}

static void describe(const struct sl_study_chart *chart, const struct sl_run_table *table, const struct roles *roles,
                     json_t *json)
{
  json_t *names = json_object(), *by = json_array(), *runs = json_array();
  for (enum sl_chart_field i = SL_CHART_X; i <= SL_CHART_FACET; i++)
    if (chart->text[i] != NULL)
      json_object_set_new(names, sl_chart_fields[i], json_string(chart->text[i]));
  for (size_t i = 0; i < roles->by_count; i++)
    json_array_append_new(by, json_string(sl_chart_fields[roles->by[i]]));
  for (size_t i = 0; i < table->count && i < SL_REPORT_RUNS; i++)
    json_array_append_new(runs, json_integer(table->ids[i]));
  json_object_set_new(json, "kind", json_string(sl_chart_kinds[chart->kind]));
  json_object_set_new(json, "names", names);
  json_object_set_new(json, "by", by);
  json_object_set_new(json, "runs", runs);
  if (chart->kind == SL_CHART_ROOFLINE) {
    set_number(json, "peak", strtod(chart->text[SL_CHART_PEAK], NULL));
    set_number(json, "bandwidth", strtod(chart->text[SL_CHART_BANDWIDTH], NULL));
  }
  char title[300];
  snprintf(title, sizeof title, "%s by %s", chart->text[SL_CHART_Y], chart->text[SL_CHART_X]);
  json_object_set_new(json, "title",
                      json_string(chart->text[SL_CHART_TITLE] != NULL ? chart->text[SL_CHART_TITLE] : title));
}

static enum sl_status add_chart(const struct sl_study *study, const struct sl_study_chart *chart,
                                struct sl_record *record, json_t *json, struct sl_error *err)
{
  struct sl_run_table table;
  struct roles roles = roles_of(chart);
  json_t *rows = json_array();
  json_object_set_new(json, "rows", rows);
  enum sl_status code = sl_run_table_open(&table, record, false, err);
  if (code == SL_OK && chart->text[SL_CHART_WHERE] != NULL)
    code = at_line(study, chart, SL_CHART_WHERE, sl_run_table_filter(&table, chart->text[SL_CHART_WHERE], err), err);
  if (code == SL_OK)
    code = choose_columns(study, chart, &table, &roles, err);
  if (code == SL_OK && (chart->kind == SL_CHART_BOX || chart->kind >= SL_CHART_SCATTER))
    code = add_runs(chart, &table, &roles, json, rows, err);
  else if (code == SL_OK)
    code = at_line(study, chart, SL_CHART_NORMALISE, add_means(chart, &table, &roles, rows, err), err);
  if (code == SL_OK && json_array_size(rows) > SL_REPORT_MARKS)
    code =
        at_line(study, chart, SL_CHART_X,
                sl_fail(err, SL_USAGE, "the chart has more than %d marks; group by fewer names", SL_REPORT_MARKS), err);
  describe(chart, &table, &roles, json);
  sl_run_table_free(&table);
  return code;
}

enum { MACHINE, SETTINGS, PROGRAM, OUTCOME, PATH, ARGUMENTS, SIZE, SEED, MODE, RUN_TEXTS };

static const char *const run_texts[RUN_TEXTS] = {"machine",   "settings", "program", "outcome", "path",
                                                 "arguments", "size",     "seed",    "mode"};

/* The program of a run: a command by its text, others by their name. NULL: the study does not have it. */
static const struct sl_study_program *program_of(const struct sl_study *study, const char *const text[RUN_TEXTS])
{
  for (size_t i = 0; i < study->program_count; i++) {
    const struct sl_study_program *program = &study->programs[i];
    const bool command = program->kind == SL_STUDY_COMMAND;
    if (strcmp(command ? program->path : program->name, text[command ? PATH : PROGRAM]) == 0)
      return program;
  }
  return NULL;
}

/* A named machine of the study. */
static const struct sl_study_machine *machine_of(const struct sl_study *study, const char *name)
{
  for (uint64_t i = 0; i < study->machines.count; i++)
    if (study->machine[i].named && strcmp(study->machines.list[i], name) == 0)
      return &study->machine[i];
  return NULL;
}

/* A host program with the variables that choose its machine. */
static json_t *repeat_host(const struct sl_study_machine *machine, const char *prefix,
                           const char *const text[RUN_TEXTS])
{
  char keys[2048] = "";
  for (size_t i = 0; machine != NULL && i < machine->keys.count; i++)
    snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s%s", i > 0 ? "," : "", machine->keys.list[i]);
  snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s%s",
           keys[0] != '\0' && text[SETTINGS][0] != '\0' ? "," : "", text[SETTINGS]);
  for (char *blank = keys; (blank = strchr(blank, ' ')) != NULL;)
    *blank = ',';
  return json_sprintf(
      "%sMACHINE=%s %s%s%s%s%s%s%sSTATS=result.json %s%s%s", prefix, machine != NULL ? machine->base : text[MACHINE],
      keys[0] != '\0' ? prefix : "", keys[0] != '\0' ? "SET=" : "", keys, keys[0] != '\0' ? " " : "",
      strcmp(text[MODE], "fast") == 0 ? prefix : "", strcmp(text[MODE], "fast") == 0 ? "MODE=fast " : "", prefix,
      text[PATH], text[ARGUMENTS][0] != '\0' ? " " : "", text[ARGUMENTS]);
}

/* The command that repeats a run. A run of `simtlab run` has the form of a command, too. */
static json_t *repeat(const struct sl_study *study, const char *const text[RUN_TEXTS])
{
  char line[8192];
  const struct sl_study_machine *machine = machine_of(study, text[MACHINE]);
  const struct sl_study_program *program = program_of(study, text);
  const bool keyed = machine != NULL && machine->keys.count > 0;
  if (program != NULL && program->kind >= SL_STUDY_HOST)
    return repeat_host(machine, sl_runtimes[program->kind - SL_STUDY_HOST].prefix, text);
  json_t *set = json_array();
  for (const char *at = text[SETTINGS]; *at != '\0';) {
    const size_t word = strcspn(at, " ");
    json_array_append_new(set, json_stringn(at, word));
    at += word + (at[word] == ' ');
  }
  json_t *path =
      program != NULL && program->kind == SL_STUDY_COMMAND
          ? json_string(text[PATH])
          : json_sprintf("simtlab run -m {machine}%s{set}%s %s%s%s", text[SETTINGS][0] != '\0' || keyed ? " " : "",
                         strcmp(text[MODE], "fast") == 0 ? " --fast" : "", text[PATH],
                         text[ARGUMENTS][0] != '\0' ? " " : "", text[ARGUMENTS]);
  json_t *keys = json_array();
  for (size_t i = 0; machine != NULL && i < machine->keys.count; i++)
    json_array_append_new(keys, json_string(machine->keys.list[i]));
  json_t *run = json_pack("{s:s, s:o, s:o, s:o, s:s, s:s}", "machine", machine != NULL ? machine->base : text[MACHINE],
                          "keys", keys, "set", set, "path", path, "size", text[SIZE], "seed", text[SEED]);
  const bool whole = run != NULL && sl_run_expand(run, "result.json", line, sizeof line);
  json_decref(run);
  return json_string(whole ? line : "");
}

/* Lists the runs with the texts that the charts group by. */
static enum sl_status list_runs(const struct sl_study *study, struct sl_record *record, json_t *page,
                                struct sl_error *err)
{
  const struct sl_run_column *columns[RUN_TEXTS], *cycles = NULL, *column;
  struct sl_run_table table;
  json_t *runs = json_array();
  json_object_set_new(page, "runs", runs);
  enum sl_status code = sl_run_table_open(&table, record, true, err);
  for (size_t i = 0; i < RUN_TEXTS && code == SL_OK; i++)
    code = sl_run_table_column(&table, run_texts[i], &columns[i], err);
  if (code == SL_OK)
    code = sl_run_table_column(&table, "cycles", &cycles, err);
  for (size_t run = 0; run < table.count && run < SL_REPORT_RUNS && code == SL_OK; run++) {
    json_t *row = json_object(), *texts = json_object();
    const char *text[RUN_TEXTS];
    for (size_t i = 0; i < RUN_TEXTS; i++)
      text[i] = sl_run_table_text(&table, columns[i], run);
    for (size_t i = 0; i <= OUTCOME; i++)
      json_object_set_new(row, run_texts[i], json_string(text[i]));
    json_object_set_new(row, "run", json_integer(table.ids[run]));
    set_number(row, "cycles", cycles->numbers[run]);
    json_object_set_new(row, "command", repeat(study, text));
    json_object_set_new(row, "names", texts);
    json_array_append_new(runs, row);
  }
  for (size_t i = 0; i < study->report.count && code == SL_OK; i++) {
    const struct roles roles = roles_of(&study->report.charts[i]);
    for (size_t k = 0; k < roles.by_count && code == SL_OK; k++) {
      const char *name = study->report.charts[i].text[roles.by[k]];
      code = sl_run_table_column(&table, name, &column, err);
      for (size_t run = 0; run < json_array_size(runs) && code == SL_OK; run++)
        json_object_set_new(json_object_get(json_array_get(runs, run), "names"), name,
                            json_datum(&table, column->texts[run]));
    }
  }
  json_object_set_new(page, "count", json_integer((json_int_t)table.count));
  json_object_set_new(page, "left", json_integer((json_int_t)(table.count - json_array_size(runs))));
  sl_run_table_free(&table);
  return code;
}

/* The named machines of the study. */
static json_t *machines_json(const struct sl_study *study)
{
  json_t *machines = json_array();
  for (uint64_t m = 0; m < study->machines.count; m++) {
    const struct sl_study_machine *machine = &study->machine[m];
    char keys[2048] = "";
    for (size_t i = 0; i < machine->keys.count; i++)
      snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s%s", i > 0 ? " " : "", machine->keys.list[i]);
    if (machine->named)
      json_array_append_new(machines,
                            json_pack("{s:s, s:s, s:s, s:s}", "name", study->machines.list[m], "base", machine->base,
                                      "keys", keys, "about", machine->about != NULL ? machine->about : ""));
  }
  return machines;
}

enum sl_status sl_report_data(const struct sl_study *study, struct sl_record *record, json_t **page,
                              struct sl_error *err)
{
  const struct sl_study_report *report = &study->report;
  *page = json_object();
  if (report->line == 0)
    return sl_fail(err, SL_USAGE, "%.250s:1: the study has no 'report: {charts: [...]}'", study->origin);
  json_t *charts = json_array();
  json_object_set_new(*page, "charts", charts);
  json_object_set_new(*page, "study", json_string(study->name));
  json_object_set_new(*page, "title", json_string(report->title != NULL ? report->title : study->name));
  if (study->about != NULL)
    json_object_set_new(*page, "about", json_string(study->about));
  json_object_set_new(*page, "machines", machines_json(study));
  enum sl_status code = SL_OK;
  for (size_t i = 0; i < report->count && code == SL_OK; i++) {
    json_t *chart = json_object();
    json_array_append_new(charts, chart);
    json_object_set_new(chart, "number", json_integer((json_int_t)i));
    code = add_chart(study, &report->charts[i], record, chart, err);
  }
  return code == SL_OK ? list_runs(study, record, *page, err) : code;
}
