#include "observe/svg.h"

#include <math.h>

#include "observe/html.h"

enum {
  LABELS = 118, /* room below the plot for the groups' names, which stand aslant */
  RIGHT = 20,
  BOTTOM = SL_CHART_TOP + SL_CHART_HEIGHT,
  TOTAL_WIDTH = SL_CHART_LEFT + SL_CHART_WIDTH + RIGHT,
  TOTAL_HEIGHT = BOTTOM + LABELS,
  LETTER = 7, /* about the width of a letter of the legend */
  SWATCH = 12
};

/* Series colours that stay apart under the common kinds of colour blindness, after Okabe and Ito. */
static const char style[] =
    "<style>.sl-chart{font:12px system-ui,sans-serif;fill:#1b1f24}"
    ".sl-chart .s0{fill:#0072b2}.sl-chart .s1{fill:#d55e00}.sl-chart .s2{fill:#009e73}.sl-chart .s3{fill:#cc79a7}"
    ".sl-chart .s4{fill:#e69f00}.sl-chart .s5{fill:#56b4e9}"
    ".sl-chart .grid{stroke:#d0d7de}.sl-chart .zero{stroke:#57606a}"
    "@media(prefers-color-scheme:dark){.sl-chart{fill:#e6edf3}.sl-chart .s0{fill:#4aa3df}.sl-chart "
    ".grid{stroke:#30363d}"
    ".sl-chart .zero{stroke:#9da7b1}}</style>\n";

static void put_title(FILE *f, const struct sl_chart *chart)
{
  fprintf(f,
          "<svg class=\"sl-chart\" id=\"%s\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
          "aria-labelledby=\"%s-title %s-about\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n<title "
          "id=\"%s-title\">",
          chart->id, chart->id, chart->id, TOTAL_WIDTH, TOTAL_HEIGHT, TOTAL_WIDTH, TOTAL_HEIGHT, chart->id);
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
  fprintf(f, ".</desc>\n%s", style);
}

static void put_legend(FILE *f, const struct sl_chart *chart)
{
  double x = SL_CHART_LEFT;
  for (size_t s = 0; s < chart->series_count; s++) {
    fprintf(f, "<rect class=\"s%zu\" x=\"%.1f\" y=\"4\" width=\"%d\" height=\"%d\"/><text x=\"%.1f\" y=\"14\">", s, x,
            SWATCH, SWATCH, x + (double)SWATCH + 5);
    sl_html_text(f, chart->series[s].name);
    fputs("</text>\n", f);
    for (const char *c = chart->series[s].name; *c != '\0'; c++)
      x += (double)LETTER;
    x += SWATCH + 25;
  }
}

static void put_axis(FILE *f, const struct sl_chart *chart, const struct sl_chart_axis *axis)
{
  const long steps = lround((axis->greatest - axis->least) / axis->step);
  for (long i = 0; i <= steps; i++) {
    const double value = axis->least + (double)i * axis->step, y = sl_chart_y(axis, value);
    const bool zero = fabs(value) < axis->step / 2;
    fprintf(f,
            "<line class=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%.6g</text>\n",
            zero ? "zero" : "grid", SL_CHART_LEFT, SL_CHART_LEFT + SL_CHART_WIDTH, y, y, SL_CHART_LEFT - 6, y + 4,
            zero ? 0 : value);
  }
  fprintf(f, "<text transform=\"translate(13 %d) rotate(-90)\" text-anchor=\"middle\">",
          SL_CHART_TOP + SL_CHART_HEIGHT / 2);
  sl_html_text(f, chart->unit);
  fputs("</text>\n", f);
}

static void put_bar(FILE *f, const struct sl_chart *chart, const struct sl_chart_bar *bar, size_t group, size_t s)
{
  const double value = chart->series[s].value[group];
  fprintf(f, "<rect class=\"bar s%zu\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>", s, bar->x, bar->y,
          bar->width, bar->height);
  sl_html_text(f, chart->groups[group]);
  fputs(", ", f);
  sl_html_text(f, chart->series[s].name);
  fprintf(f, ": %.4g ", value);
  sl_html_text(f, chart->unit);
  fputs("</title></rect>\n", f);
  if (bar->cut)
    fprintf(f, "<text transform=\"translate(%.2f %.2f) rotate(-90)\" font-size=\"10\">%.4g</text>\n",
            bar->x + bar->width / 2 + 3, value > 0 ? bar->y + 28 : bar->y + bar->height, value);
}

static void put_group(FILE *f, const struct sl_chart *chart, const struct sl_chart_axis *axis, size_t group)
{
  double from = 0, to = 0;
  for (size_t s = 0; s < chart->series_count; s++) {
    const struct sl_chart_bar bar = sl_chart_bar(chart, axis, group, s);
    put_bar(f, chart, &bar, group, s);
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
