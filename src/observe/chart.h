/* A grouped bar chart as data: groups (benchmarks) along the axis, a bar per series (configuration) in each. The place
 * of every bar is computed here and drawn in svg.h; the same numbers go out as CSV. */
#ifndef SL_OBSERVE_CHART_H
#define SL_OBSERVE_CHART_H

#include <stdio.h>

#include "base/types.h"

enum { SL_CHART_SERIES = 6, SL_CHART_GROUPS = 64 };

/* A value that somebody else has published for a bar. */
struct sl_chart_published {
  double value;
  bool known;
};

struct sl_chart_series {
  const char *name;
  double value[SL_CHART_GROUPS];
  struct sl_chart_published published[SL_CHART_GROUPS];
  unsigned colour; /* of the palette's, from 1, for a series that several charts have; 0: by its place */
};

struct sl_chart {
  const char *id;          /* unique within a document */
  const char *title;       /* what a reader who does not see it is told */
  const char *unit;        /* along the value axis */
  const char *group_title; /* what a group is: "benchmark" */
  const char *groups[SL_CHART_GROUPS];
  size_t group_count, series_count;
  bool mean_last; /* the last group is a mean of the others and stands apart */
  double limit;   /* bars beyond this value, or below its negative, are cut and labelled with their value; 0: none */
  struct sl_chart_series series[SL_CHART_SERIES];
};

/* Whether a value has been published for any bar. */
bool sl_chart_has_published(const struct sl_chart *chart);

/* A value as the limit leaves it. */
double sl_chart_cut(const struct sl_chart *chart, double value);

/* The value axis: from `least` to `greatest`, both multiples of `step`; 0 lies between them. Bars stay within it but
 * for a tenth of a step. */
struct sl_chart_axis {
  double least, greatest, step;
};

struct sl_chart_axis sl_chart_axis(const struct sl_chart *chart);

/* A rectangle of the drawing, in its units; y points down. */
struct sl_chart_bar {
  double x, y, width, height;
  bool cut; /* by the limit */
};

/* The drawing's measures. */
enum {
  SL_CHART_LEFT = 56,
  SL_CHART_TOP = 62,    /* with the legend, and room for the number of the greatest bar */
  SL_CHART_WIDTH = 920, /* of the plot at least, all bars in it */
  SL_CHART_HEIGHT = 220
};

/* Of the plot: as wide as the numbers of all bars need side by side. */
double sl_chart_width(const struct sl_chart *chart);

/* Where a value is along the vertical axis. */
double sl_chart_y(const struct sl_chart_axis *axis, double value);

struct sl_chart_bar sl_chart_bar(const struct sl_chart *chart, const struct sl_chart_axis *axis, size_t group,
                                 size_t series);

/* A line per group, a column per series, and the unit in the title of each; behind a series, what is published for it.
 */
void sl_chart_csv(const struct sl_chart *chart, FILE *file);

#endif
