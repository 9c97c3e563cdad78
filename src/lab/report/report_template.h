/* The section `report` of a study file: charts over the runs of the study, or tables of derived numbers in sections of
 * text (docs/reference/laboratory.md).
 *
 *   report:
 *     title: Lanes and warps
 *     charts:
 *       - {chart: bars, title: Speed, x: lanes, y: ipc, colour: machine, facet: program}
 *
 * Bars, lines, boxes and tables have a name as `x` and a metric as `y`; a heat map has names as `x` and `y` and a
 * metric as `colour`; the others have metrics as `x` and `y`. `colour` and `facet` are names of texts. */
#ifndef SL_LAB_REPORT_TEMPLATE_H
#define SL_LAB_REPORT_TEMPLATE_H

#include "base/error.h"
#include "base/types.h"

/* Named texts of a mapping. */
struct sl_texts {
  struct sl_text {
    char name[64];
    char *text;
    size_t line;
  } * list;
  size_t count, line;
};

/* The text of a name; NULL: there is none. */
const char *sl_texts_find(const struct sl_texts *texts, const char *name);

enum sl_chart_kind {
  SL_CHART_BARS,
  SL_CHART_LINES,
  SL_CHART_BOX,
  SL_CHART_TABLE,
  SL_CHART_HEAT_MAP,
  SL_CHART_SCATTER,
  SL_CHART_PARETO,
  SL_CHART_ROOFLINE,
  SL_CHART_KINDS
};

enum sl_chart_field {
  SL_CHART_KIND,
  SL_CHART_TITLE,
  SL_CHART_X,
  SL_CHART_Y,
  SL_CHART_COLOUR,
  SL_CHART_FACET,
  SL_CHART_WHERE,
  SL_CHART_NORMALISE,
  SL_CHART_MEAN,      /* arithmetic or geometric */
  SL_CHART_PEAK,      /* of a roofline: the most of y */
  SL_CHART_BANDWIDTH, /* of a roofline: its slope */
  SL_CHART_FIELDS
};

struct sl_study_chart {
  enum sl_chart_kind kind;
  size_t line;
  char *text[SL_CHART_FIELDS]; /* NULL: not given */
  size_t lines[SL_CHART_FIELDS];
};

/* A table: rows for each value of some names, or with texts of their own, and columns of expressions. */
struct sl_report_table {
  size_t line;
  struct sl_texts fields, *columns, *rows, *totals; /* totals: rows over all runs, behind the others */
  size_t column_count, row_count, total_count;
};

struct sl_study_report {
  char *title;
  size_t line;               /* 0: the study has no report */
  struct sl_texts define;    /* texts that others name in braces */
  struct sl_texts published; /* files of published numbers, by name; paths from the current folder */
  struct sl_report_table *tables;
  struct sl_texts *sections;
  size_t table_count, section_count;
  struct sl_study_chart *charts;
  size_t count;
};

extern const char *const sl_chart_kinds[SL_CHART_KINDS], *const sl_chart_fields[SL_CHART_FIELDS];

struct sl_study_file;
struct yaml_node_s;

/* Reads the section. Free the report also after an error. */
enum sl_status sl_report_read(struct sl_study_file *file, struct yaml_node_s *node, struct sl_study_report *report);
void sl_report_free(struct sl_study_report *report);

#endif
