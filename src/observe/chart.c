#include "observe/chart.h"

#include <math.h>

enum { WANTED_STEPS = 5 };

static const double between_groups = 0.28; /* of a group's width, left empty */
static const double least_bar = 10;        /* wide enough for a number that stands upright */
static const double before_mean = 0.5;     /* in groups */

bool sl_chart_has_published(const struct sl_chart *chart)
{
  for (size_t s = 0; s < chart->series_count; s++)
    for (size_t g = 0; g < chart->group_count; g++)
      if (chart->series[s].published[g].known)
        return true;
  return false;
}

double sl_chart_cut(const struct sl_chart *chart, double value)
{
  if (chart->limit > 0 && fabs(value) > chart->limit)
    return value > 0 ? chart->limit : -chart->limit;
  return value;
}

/* Returns 1, 2 or 5 times a power of ten: the smallest step that covers the range in the intended number of steps. */
static double round_step(double range)
{
  const double least = range / (double)WANTED_STEPS, power = pow(10, floor(log10(least)));
  const double ratio = least / power;
  return power * (ratio <= 1.0001 ? 1 : ratio <= 2.0001 ? 2 : ratio <= 5.0001 ? 5 : 10);
}

struct sl_chart_axis sl_chart_axis(const struct sl_chart *chart)
{
  double least = 0, greatest = 0;
  for (size_t s = 0; s < chart->series_count; s++)
    for (size_t g = 0; g < chart->group_count; g++) {
      const struct sl_chart_series *series = &chart->series[s];
      const double published = series->published[g].known ? series->published[g].value : 0;
      least = fmin(least, sl_chart_cut(chart, fmin(series->value[g], published)));
      greatest = fmax(greatest, sl_chart_cut(chart, fmax(series->value[g], published)));
    }
  if (least >= 0 && greatest <= 0)
    greatest = 1;
  const double step = round_step(greatest - least);
  /* A bar that extends by a tenth of a step below 0 does not justify another step of axis. */
  return (struct sl_chart_axis){step * floor(least / step + 0.1), step * ceil(greatest / step - 1e-9), step};
}

double sl_chart_y(const struct sl_chart_axis *axis, double value)
{
  return (double)SL_CHART_TOP + (double)SL_CHART_HEIGHT * (axis->greatest - value) / (axis->greatest - axis->least);
}

double sl_chart_width(const struct sl_chart *chart)
{
  const double extra = chart->mean_last ? before_mean : 0;
  const double least = least_bar * (double)chart->series_count / (1 - between_groups);
  return fmax(SL_CHART_WIDTH, least * ((double)chart->group_count + extra));
}

struct sl_chart_bar sl_chart_bar(const struct sl_chart *chart, const struct sl_chart_axis *axis, size_t group,
                                 size_t series)
{
  const double extra = chart->mean_last ? before_mean : 0;
  const double pitch = sl_chart_width(chart) / ((double)chart->group_count + extra);
  const double width = pitch * (1 - between_groups) / (double)chart->series_count;
  const double shift = chart->mean_last && group + 1 == chart->group_count ? extra : 0;
  const double value = chart->series[series].value[group], shown = sl_chart_cut(chart, value);
  const double from = sl_chart_y(axis, fmax(shown, 0)), to = sl_chart_y(axis, fmin(shown, 0));
  return (struct sl_chart_bar){
      .x = (double)SL_CHART_LEFT + pitch * ((double)group + shift + between_groups / 2) + width * (double)series,
      .y = from,
      .width = width,
      .height = to - from,
      .cut = fabs(value - shown) > 0,
  };
}

/* Writes text as a CSV field: quoted, with its own quotes doubled. */
static void put_field(const char *text, const char *unit, FILE *file)
{
  putc('"', file);
  for (; *text != '\0'; text++) {
    if (*text == '"')
      putc('"', file);
    putc(*text, file);
  }
  fprintf(file, "%s%s%s\"", unit != NULL ? " (" : "", unit != NULL ? unit : "", unit != NULL ? ")" : "");
}

static bool has_published(const struct sl_chart *chart, size_t series)
{
  bool any = false;
  for (size_t g = 0; g < chart->group_count; g++)
    any |= chart->series[series].published[g].known;
  return any;
}

void sl_chart_csv(const struct sl_chart *chart, FILE *file)
{
  put_field(chart->group_title, NULL, file);
  for (size_t s = 0; s < chart->series_count; s++) {
    putc(',', file);
    put_field(chart->series[s].name, chart->unit, file);
    if (has_published(chart, s))
      fprintf(file, ",\"paper (%s)\"", chart->unit);
  }
  putc('\n', file);
  for (size_t g = 0; g < chart->group_count; g++) {
    put_field(chart->groups[g], NULL, file);
    for (size_t s = 0; s < chart->series_count; s++) {
      const struct sl_chart_published *published = &chart->series[s].published[g];
      fprintf(file, ",%.9g", chart->series[s].value[g]);
      if (published->known)
        fprintf(file, ",%.9g", published->value);
      else if (has_published(chart, s))
        putc(',', file);
    }
    putc('\n', file);
  }
}
