#include "lab/report_template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/study_file.h"

const char *const sl_chart_kinds[] = {"bars", "lines", "box", "table", "heat map", "scatter", "pareto", "roofline"};
const char *const sl_chart_fields[] = {"chart", "title",     "x",    "y",    "colour",   "facet",
                                       "where", "normalise", "mean", "peak", "bandwidth"};

/* Reads a text into the field of its name. */
static enum sl_status read_field(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target)
{
  struct sl_chart *chart = target;
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

static enum sl_status choose_kind(struct sl_study_file *file, struct sl_chart *chart)
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

static enum sl_status check_number(struct sl_study_file *file, const struct sl_chart *chart, enum sl_chart_field field)
{
  char *end;
  if (strtod(chart->text[field], &end) > 0 && *end == '\0')
    return SL_OK;
  return sl_study_fail(file, chart->lines[field], "'%s' is a number above 0, not '%.40s'", sl_chart_fields[field],
                       chart->text[field]);
}

static enum sl_status check_chart(struct sl_study_file *file, const struct sl_chart *chart)
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
  struct sl_chart *larger = realloc(report->charts, (report->count + 1) * sizeof *larger);
  if (larger == NULL)
    return sl_no_memory(file->err, (report->count + 1) * sizeof *larger);
  report->charts = larger;
  struct sl_chart *chart = &larger[report->count++];
  *chart = (struct sl_chart){.line = sl_yaml_line(node)};
  enum sl_status code = sl_study_mapping(file, node, "a chart", read_field, chart);
  if (code == SL_OK)
    code = choose_kind(file, chart);
  return code == SL_OK ? check_chart(file, chart) : code;
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
  static const struct sl_study_field fields[] = {{"title", read_title}, {"charts", read_charts}, {0}};
  report->line = sl_yaml_line(node);
  const enum sl_status code = sl_study_fields(file, node, "'report'", fields, report);
  return code == SL_OK && report->count == 0 ? sl_study_fail(file, report->line, "the report has no charts") : code;
}

void sl_report_free(struct sl_study_report *report)
{
  free(report->title);
  for (size_t i = 0; i < report->count; i++)
    for (size_t k = 0; k < SL_CHART_FIELDS; k++)
      free(report->charts[i].text[k]);
  free(report->charts);
}
