#include "lab/study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sl_chart_kinds[] = {"bars", "lines", "box", "table", "heat map", "scatter", "pareto", "roofline"};
const char *const sl_chart_fields[] = {"chart", "title",     "x",    "y",    "colour",   "facet",
                                       "where", "normalise", "mean", "peak", "bandwidth"};

/* Reads a text into the field of its name. */
static enum sl_status read_field(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  struct sl_study_chart *chart = target;
  char all[160] = "";
  for (size_t i = 0; i < SL_CHART_FIELDS; i++) {
    if (strcmp(name, sl_chart_fields[i]) == 0) {
      chart->lines[i] = file->name_line;
      return sl_study_text(file, node, &chart->text[i]);
    }
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", sl_chart_fields[i]);
  }
  return sl_study_fail(file, file->name_line, "unknown name '%s' in a chart; there are %s", name, all);
}

static enum sl_status choose_kind(struct sl_study_file *file, struct sl_study_chart *chart)
{
  char all[100] = "";
  for (unsigned i = 0; i < SL_CHART_KINDS; i++) {
    if (chart->text[SL_CHART_KIND] != NULL && strcmp(chart->text[SL_CHART_KIND], sl_chart_kinds[i]) == 0) {
      chart->kind = (enum sl_chart_kind)i;
      return SL_OK;
    }
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", sl_chart_kinds[i]);
  }
  if (chart->text[SL_CHART_KIND] == NULL)
    return sl_study_fail(file, chart->line, "a chart needs 'chart: KIND'; the kinds are %s", all);
  return sl_study_fail(file, chart->lines[SL_CHART_KIND], "no kind of chart is '%.80s'; the kinds are %s",
                       chart->text[SL_CHART_KIND], all);
}

static enum sl_status check_number(struct sl_study_file *file, const struct sl_study_chart *chart,
                                   enum sl_chart_field field)
{
  char *end;
  if (strtod(chart->text[field], &end) > 0 && *end == '\0')
    return SL_OK;
  return sl_study_fail(file, chart->lines[field], "'%s' is a number above 0, not '%.40s'", sl_chart_fields[field],
                       chart->text[field]);
}

static enum sl_status check_chart(struct sl_study_file *file, const struct sl_study_chart *chart)
{
  const bool roofline = chart->kind == SL_CHART_ROOFLINE;
  const char *mean = chart->text[SL_CHART_MEAN];
  for (unsigned i = 0; i < SL_CHART_FIELDS; i++) {
    const bool of_roofline = i == SL_CHART_PEAK || i == SL_CHART_BANDWIDTH;
    const bool needed = i == SL_CHART_X || i == SL_CHART_Y || (of_roofline && roofline) ||
                        (i == SL_CHART_COLOUR && chart->kind == SL_CHART_HEAT_MAP);
    if (needed && chart->text[i] == NULL)
      return sl_study_fail(file, chart->line, "a chart of kind '%s' needs '%s'", sl_chart_kinds[chart->kind],
                           sl_chart_fields[i]);
    const bool grouped = i == SL_CHART_MEAN || i == SL_CHART_NORMALISE;
    const bool groups = chart->kind <= SL_CHART_HEAT_MAP && chart->kind != SL_CHART_BOX;
    if (chart->text[i] != NULL && ((of_roofline && !roofline) || (grouped && !groups)))
      return sl_study_fail(file, chart->lines[i], "a chart of kind '%s' has no '%s'", sl_chart_kinds[chart->kind],
                           sl_chart_fields[i]);
    const enum sl_status code = of_roofline && roofline ? check_number(file, chart, (enum sl_chart_field)i) : SL_OK;
    if (code != SL_OK)
      return code;
  }
  if (mean != NULL && strcmp(mean, "arithmetic") != 0 && strcmp(mean, "geometric") != 0)
    return sl_study_fail(file, chart->lines[SL_CHART_MEAN], "the mean is arithmetic or geometric, not '%.40s'", mean);
  return SL_OK;
}

static enum sl_status add_chart(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  struct sl_study_report *report = target;
  (void)name;
  struct sl_study_chart *larger = realloc(report->charts, (report->count + 1) * sizeof *larger);
  if (larger == NULL)
    return sl_no_memory(file->err, (report->count + 1) * sizeof *larger);
  report->charts = larger;
  struct sl_study_chart *chart = &larger[report->count++];
  *chart = (struct sl_study_chart){.line = sl_yaml_line(node)};
  enum sl_status code = sl_study_mapping(file, node, "a chart", read_field, chart);
  if (code == SL_OK)
    code = choose_kind(file, chart);
  return code == SL_OK ? check_chart(file, chart) : code;
}

/* Adds an item to a list of mappings. */
struct mappings {
  struct sl_texts **list;
  size_t *count;
  const char *what, *const *names;
};

static enum sl_status add_mapping(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  const struct mappings *to = target;
  struct sl_texts *larger = realloc(*to->list, (*to->count + 1) * sizeof *larger);
  (void)name;
  if (larger == NULL)
    return sl_no_memory(file->err, (*to->count + 1) * sizeof *larger);
  *to->list = larger;
  larger[*to->count] = (struct sl_texts){.line = sl_yaml_line(node)};
  return sl_study_texts(file, node, to->what, to->names, &larger[(*to->count)++]);
}

static enum sl_status read_columns(struct sl_study_file *file, yaml_node_t *node, struct sl_report_table *table)
{
  static const char *const names[] = {"title", "csv",    "text",         "value",  "count", "decimals",
                                      "sign",  "unit",   "published",    "colour", "in",    "with",
                                      "if",    "quoted", "csv decimals", NULL};
  struct mappings to = {&table->columns, &table->column_count, "a column", names};
  return sl_study_list(file, node, add_mapping, &to);
}

/* A field of a table: a list of mappings, or a text. */
static enum sl_status read_table_field(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  static const char *const names[] = {"name",    "each",  "where", "if",    "digits", "print",
                                      "caption", "chart", "unit",  "limit", "fail",   NULL};
  struct sl_report_table *table = target;
  struct mappings rows = {&table->rows, &table->row_count, "a row", NULL};
  if (strcmp(name, "columns") == 0)
    return read_columns(file, node, table);
  if (strcmp(name, "totals") == 0)
    rows = (struct mappings){&table->totals, &table->total_count, "a row", NULL};
  if (strcmp(name, "rows") == 0 || strcmp(name, "totals") == 0)
    return sl_study_list(file, node, add_mapping, &rows);
  return sl_study_texts_add(file, name, node, "a table", names, &table->fields);
}

static enum sl_status add_table(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  struct sl_study_report *report = target;
  struct sl_report_table *larger = realloc(report->tables, (report->table_count + 1) * sizeof *larger);
  (void)name;
  if (larger == NULL)
    return sl_no_memory(file->err, (report->table_count + 1) * sizeof *larger);
  report->tables = larger;
  struct sl_report_table *table = &larger[report->table_count++];
  *table = (struct sl_report_table){.line = sl_yaml_line(node)};
  const enum sl_status code = sl_study_mapping(file, node, "a table", read_table_field, table);
  if (code != SL_OK)
    return code;
  const char *named = sl_texts_find(&table->fields, "name");
  if (named == NULL || table->column_count == 0)
    return sl_study_fail(file, table->line, "a table needs 'name' and 'columns'");
  if (strchr(named, '/') != NULL || named[0] == '.')
    return sl_study_fail(file, table->line, "the table's name '%.80s' names its file; it has no '/'", named);
  return SL_OK;
}

static enum sl_status read_tables(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_list(file, node, add_table, target);
}

static enum sl_status read_sections(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  static const char *const names[] = {"heading", "text", "table", "chart", "notes", "if", "print", NULL};
  struct sl_study_report *report = target;
  struct mappings to = {&report->sections, &report->section_count, "a section", names};
  return sl_study_list(file, node, add_mapping, &to);
}

static enum sl_status read_define(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_texts(file, node, "'define'", NULL, &((struct sl_study_report *)target)->define);
}

static enum sl_status read_published(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  struct sl_texts *published = &((struct sl_study_report *)target)->published;
  const enum sl_status code = sl_study_texts(file, node, "'published'", NULL, published);
  for (size_t i = 0; i < published->count && code == SL_OK; i++) {
    char *path = sl_study_path(file, published->list[i].text);
    if (path == NULL)
      return sl_no_memory(file->err, 1);
    free(published->list[i].text);
    published->list[i].text = path;
  }
  return code;
}

static enum sl_status read_title(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_text(file, node, &((struct sl_study_report *)target)->title);
}

static enum sl_status read_charts(struct sl_study_file *file, yaml_node_t *node, void *target)
{
  return sl_study_list(file, node, add_chart, target);
}

enum sl_status sl_report_read(struct sl_study_file *file, struct yaml_node_s *node, struct sl_study_report *report)
{
  static const struct sl_study_field fields[] = {{"title", read_title},
                                                 {"charts", read_charts},
                                                 {"tables", read_tables},
                                                 {"sections", read_sections},
                                                 {"define", read_define},
                                                 {"published", read_published},
                                                 {0}};
  report->line = sl_yaml_line(node);
  const enum sl_status code = sl_study_fields(file, node, "'report'", fields, report);
  if (code == SL_OK && report->count > 0 && report->section_count > 0)
    return sl_study_fail(file, report->line, "a report has 'charts', or 'tables' and 'sections'");
  return code == SL_OK && report->count + report->section_count == 0
             ? sl_study_fail(file, report->line, "the report has no charts")
             : code;
}

static void free_texts(struct sl_texts *list, size_t count)
{
  for (size_t i = 0; i < count; i++)
    sl_texts_free(&list[i]);
  free(list);
}

void sl_report_free(struct sl_study_report *report)
{
  free(report->title);
  for (size_t i = 0; i < report->count; i++)
    for (size_t k = 0; k < SL_CHART_FIELDS; k++)
      free(report->charts[i].text[k]);
  free(report->charts);
  for (size_t i = 0; i < report->table_count; i++) {
    sl_texts_free(&report->tables[i].fields);
    free_texts(report->tables[i].columns, report->tables[i].column_count);
    free_texts(report->tables[i].rows, report->tables[i].row_count);
    free_texts(report->tables[i].totals, report->tables[i].total_count);
  }
  free(report->tables);
  free_texts(report->sections, report->section_count);
  sl_texts_free(&report->define);
  sl_texts_free(&report->published);
}
