#include "observe/chart.h"

#include <math.h>
#include <string.h>

#include "observe/html.h"
#include "observe/terminal.h"

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

/* Returns the value, cut at the limit. */
static double chart_cut(const struct sl_chart *chart, double value)
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
      least = fmin(least, chart_cut(chart, fmin(series->value[g], published)));
      greatest = fmax(greatest, chart_cut(chart, fmax(series->value[g], published)));
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
  const double value = chart->series[series].value[group], shown = chart_cut(chart, value);
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

enum {
  LABELS = 118, /* room below the plot for the groups' names, which stand aslant, at least */
  RIGHT = 20,
  BOTTOM = SL_CHART_TOP + SL_CHART_HEIGHT,
  LETTER = 7,      /* about the width of a letter of the legend */
  NAME_LETTER = 7, /* of a group's name */
  SWATCH = 12
};

/* Text over bars and lines has an outline in the background's colour. */
static const char style[] =
    ".sl-chart{font:12px system-ui,sans-serif;fill:#1b1f24}.sl-chart .grid{stroke:#d0d7de}.sl-chart "
    ".zero{stroke:#57606a}"
    ".sl-chart "
    ".number{font-size:9.5px;paint-order:stroke;stroke:#fff;stroke-width:2.5px;stroke-linejoin:round}.sl-chart "
    ".of-paper{font-style:italic}"
    ".sl-chart .cut{stroke:#fff;stroke-width:2}.sl-chart .under{stroke:#fff;stroke-width:5}"
    ".sl-chart .published{stroke:#1b1f24;stroke-width:2.5}"
    "@media(prefers-color-scheme:dark){.sl-chart{fill:#e6edf3}.sl-chart .grid{stroke:#30363d}.sl-chart "
    ".zero{stroke:#9da7b1}"
    ".sl-chart .number,.sl-chart .cut,.sl-chart .under{stroke:#16191d}.sl-chart .published{stroke:#e6edf3}}";

/* Writes the class of a series. */
static void put_class(FILE *f, const struct sl_chart *chart, size_t s)
{
  if (chart->series_count == 1)
    fputs("only", f);
  else
    fprintf(f, "s%zu", chart->series[s].colour > 0 ? chart->series[s].colour - 1 : s);
}

/* What a group's name takes of the room to the left of the group's middle, and below the plot. */
static void name_room(const char *name, double *left, double *below)
{
  enum { FALL = 40 }; /* degrees */
  const double angle = FALL * acos(-1) / 180, length = (double)sl_text_columns(name) * NAME_LETTER;
  *left = length * cos(angle);
  *below = length * sin(angle) + 24;
}

/* With room for all names: the first group's goes beyond the axis. */
static void put_title(FILE *f, const struct sl_chart *chart)
{
  const struct sl_chart_axis axis = sl_chart_axis(chart);
  double beyond = 0, below = LABELS;
  for (size_t g = 0; g < chart->group_count; g++) {
    const struct sl_chart_bar first = sl_chart_bar(chart, &axis, g, 0);
    double left, room;
    name_room(chart->groups[g], &left, &room);
    beyond = fmax(beyond, left - first.x);
    below = fmax(below, room);
  }
  const double width = beyond + SL_CHART_LEFT + sl_chart_width(chart) + RIGHT, height = BOTTOM + below;
  fprintf(f,
          "<svg class=\"sl-chart\" id=\"%s\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
          "aria-labelledby=\"%s-title %s-about\" viewBox=\"%.0f 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n<title "
          "id=\"%s-title\">",
          chart->id, chart->id, chart->id, -beyond, width, height, width, height, chart->id);
  sl_html_text(f, chart->title);
  fprintf(f, "</title>\n<desc id=\"%s-about\">Bars in ", chart->id);
  sl_html_text(f, chart->unit);
  fputs(" for each ", f);
  sl_html_text(f, chart->group_title);
  fputs(": ", f);
  for (size_t s = 0; s < chart->series_count; s++) {
    fputs(s > 0 ? ", " : "", f);
    sl_html_text(f, chart->series[s].name);
  }
  fprintf(f, ".</desc>\n<style>%s", style);
  sl_palette_series_css(f, ".sl-chart");
  fputs("</style>\n", f);
}

static double text_width(const char *text)
{
  double width = 0;
  for (const char *c = text; *c != '\0'; c++)
    width += LETTER;
  return width;
}

static void put_legend(FILE *f, const struct sl_chart *chart)
{
  double x = SL_CHART_LEFT;
  for (size_t s = 0; s < chart->series_count; s++) {
    fputs("<rect class=\"", f);
    put_class(f, chart, s);
    fprintf(f, "\" x=\"%.1f\" y=\"4\" width=\"%d\" height=\"%d\"/><text x=\"%.1f\" y=\"14\">", x, SWATCH, SWATCH,
            x + (double)SWATCH + 5);
    sl_html_text(f, chart->series[s].name);
    fputs("</text>\n", f);
    x += text_width(chart->series[s].name) + SWATCH + 25;
  }
  if (sl_chart_has_published(chart))
    fprintf(f,
            "<line class=\"published\" x1=\"%.1f\" x2=\"%.1f\" y1=\"10\" y2=\"10\"/><text x=\"%.1f\" "
            "y=\"14\">as published</text>\n",
            x, x + (double)SWATCH + 6, x + (double)SWATCH + 11);
}

static void put_axis(FILE *f, const struct sl_chart *chart, const struct sl_chart_axis *axis)
{
  const long steps = lround((axis->greatest - axis->least) / axis->step);
  for (long i = 0; i <= steps; i++) {
    const double value = axis->least + (double)i * axis->step, y = sl_chart_y(axis, value);
    const bool zero = fabs(value) < axis->step / 2;
    fprintf(f,
            "<line class=\"%s\" x1=\"%d\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%.6g</text>\n",
            zero ? "zero" : "grid", SL_CHART_LEFT, SL_CHART_LEFT + sl_chart_width(chart), y, y, SL_CHART_LEFT - 6,
            y + 4, zero ? 0 : value);
  }
  fprintf(f, "<text transform=\"translate(13 %d) rotate(-90)\" text-anchor=\"middle\">",
          SL_CHART_TOP + SL_CHART_HEIGHT / 2);
  sl_html_text(f, chart->unit);
  fputs("</text>\n", f);
}

/* Formats a number briefly, for the space next to a bar. */
static void short_number(double value, char text[32])
{
  const double size = fabs(value);
  if (size < 0.005)
    snprintf(text, 32, "0");
  else
    snprintf(text, 32, size >= 99.95 ? "%.0f" : size >= 9.995 ? "%.1f" : "%.2f", value);
}

/* Writes the number with its lower end at `end`; vertical if the bar is narrower than the number. */
static void put_number(FILE *f, const struct sl_chart_bar *bar, double value, double end, const char *class)
{
  enum { DIGIT = 6 };
  char text[32];
  short_number(value, text);
  const double middle = bar->x + bar->width / 2;
  if ((double)strlen(text) * DIGIT <= bar->width)
    fprintf(f, "<text class=\"%s\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%s</text>\n", class, middle, end, text);
  else
    fprintf(f, "<text class=\"%s\" transform=\"translate(%.2f %.2f) rotate(-90)\">%s</text>\n", class, middle + 3.5,
            end, text);
}

/* Writes the number above the bar, or above the zero line for a negative bar, because group names are below. If the
 * published value's mark is close, the number goes beyond it. A distant mark has its own number. */
static void put_numbers(FILE *f, const struct sl_chart *chart, const struct sl_chart_axis *axis,
                        const struct sl_chart_bar *bar, size_t group, size_t s)
{
  enum { GAP = 4, ROOM = 34 };
  const struct sl_chart_series *series = &chart->series[s];
  const struct sl_chart_published *published = &series->published[group];
  const double mark = published->known ? sl_chart_y(axis, chart_cut(chart, published->value)) : bar->y;
  const bool near = mark > bar->y - ROOM;
  put_number(f, bar, series->value[group], (near ? fmin(bar->y, mark) : bar->y) - GAP, "number");
  if (!near)
    put_number(f, bar, published->value, mark - GAP, "number of-paper");
}

/* Draws a gap near the end of a bar that continues beyond the axis. */
static void put_break(FILE *f, const struct sl_chart_bar *bar, double value)
{
  const double y = value > 0 ? bar->y + 8 : bar->y + bar->height - 8;
  fprintf(f, "<line class=\"cut\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" y2=\"%.2f\"/>\n", bar->x - 1,
          bar->x + bar->width + 1, y + 3, y - 3);
}

static void put_published(FILE *f, const struct sl_chart *chart, const struct sl_chart_axis *axis,
                          const struct sl_chart_bar *bar, const struct sl_chart_published *published)
{
  const double y = sl_chart_y(axis, chart_cut(chart, published->value));
  fprintf(f, "<line class=\"under\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" y2=\"%.2f\"/>", bar->x - 3,
          bar->x + bar->width + 3, y, y);
  fprintf(f,
          "<line class=\"published\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" y2=\"%.2f\"><title>published: %.4g "
          "%s</title></line>\n",
          bar->x - 2, bar->x + bar->width + 2, y, y, published->value, chart->unit);
}

static void put_bar(FILE *f, const struct sl_chart *chart, const struct sl_chart_bar *bar, size_t group, size_t s)
{
  const double value = chart->series[s].value[group];
  fputs("<rect class=\"bar ", f);
  put_class(f, chart, s);
  fprintf(f, "\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>", bar->x, bar->y, bar->width,
          bar->height);
  sl_html_text(f, chart->groups[group]);
  fputs(", ", f);
  sl_html_text(f, chart->series[s].name);
  fprintf(f, ": %.4g ", value);
  sl_html_text(f, chart->unit);
  fputs("</title></rect>\n", f);
  if (bar->cut)
    put_break(f, bar, value);
}

static void put_group(FILE *f, const struct sl_chart *chart, const struct sl_chart_axis *axis, size_t group)
{
  double from = 0, to = 0;
  for (size_t s = 0; s < chart->series_count; s++) {
    const struct sl_chart_bar bar = sl_chart_bar(chart, axis, group, s);
    put_bar(f, chart, &bar, group, s);
    if (chart->series[s].published[group].known)
      put_published(f, chart, axis, &bar, &chart->series[s].published[group]);
    put_numbers(f, chart, axis, &bar, group, s);
    from = s == 0 ? bar.x : from;
    to = bar.x + bar.width;
  }
  const bool mean = chart->mean_last && group + 1 == chart->group_count;
  fprintf(f, "<text transform=\"translate(%.2f %d) rotate(-40)\" text-anchor=\"end\"%s>", (from + to) / 2 + 4,
          BOTTOM + 14, mean ? " font-weight=\"bold\"" : "");
  sl_html_text(f, chart->groups[group]);
  fputs("</text>\n", f);
}

void sl_svg_chart(FILE *f, const struct sl_chart *chart)
{
  const struct sl_chart_axis axis = sl_chart_axis(chart);
  put_title(f, chart);
  put_legend(f, chart);
  put_axis(f, chart, &axis);
  for (size_t g = 0; g < chart->group_count; g++)
    put_group(f, chart, &axis, g);
  fputs("</svg>\n", f);
}
