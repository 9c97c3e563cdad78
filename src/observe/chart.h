/* Data of a grouped bar chart: groups (benchmarks) along the axis, with a bar per series (configuration). This module
 * computes the position of every bar and draws it. CSV output has the same numbers.
 *
 * Pages of compare, profile and paper draw in C, not with the Vega-Lite of simtlab report: they are some ten kB instead
 * of 900, show their charts without a script, and need no bundle that npm makes. */
#ifndef SL_OBSERVE_CHART_H
#define SL_OBSERVE_CHART_H

#include <stdio.h>

#include "base/types.h"

enum { SL_CHART_SERIES = 6, SL_CHART_GROUPS = 64 };

/* A published value for a bar, from another source. */
struct sl_chart_published {
  double value;
  bool known;
};

struct sl_chart_series {
  const char *name;
  double value[SL_CHART_GROUPS];
  struct sl_chart_published published[SL_CHART_GROUPS];
  unsigned colour; /* index of the palette from 1, for a series in several charts; 0: by position */
};

struct sl_chart {
  const char *id;          /* unique within a document */
  const char *title;       /* description for screen readers */
  const char *unit;        /* unit of the value axis */
  const char *group_title; /* title of a group, such as "benchmark" */
  const char *groups[SL_CHART_GROUPS];
  size_t group_count, series_count;
  bool mean_last; /* the last group is the mean of the others and is drawn separately */
  double limit;   /* bars above this value, or below its negative, are cut and labelled with their value; 0: none */
  struct sl_chart_series series[SL_CHART_SERIES];
};

/* Whether any bar has a published value. */
bool sl_chart_has_published(const struct sl_chart *chart);

/* The value axis: from `least` to `greatest`, both multiples of `step`, including 0. Bars exceed it by at most a tenth
 * of a step. */
struct sl_chart_axis {
  double least, greatest, step;
};

struct sl_chart_axis sl_chart_axis(const struct sl_chart *chart);

/* A rectangle in drawing units; y points down. */
struct sl_chart_bar {
  double x, y, width, height;
  bool cut; /* by the limit */
};

/* Dimensions of the drawing. */
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

/* Writes one line per group and one column per series, with the unit in each title. The published values of a series
 * follow it. */
void sl_chart_csv(const struct sl_chart *chart, FILE *file);

/* Draws charts as SVG elements, for an HTML document or standalone: axis, legend, labels, values as tooltips of the
 * bars, title and description for screen readers. Colours follow the display, light or dark. */

void sl_svg_chart(FILE *f, const struct sl_chart *chart);

#endif
