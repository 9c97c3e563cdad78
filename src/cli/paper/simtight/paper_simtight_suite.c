#include "cli/paper/simtight/paper_simtight_suite.h"

#include <math.h>
#include <string.h>

#include "observe/html.h"

enum figure {
  CYCLES,
  IPC,
  SLOTS_1024,
  SLOTS_512,
  SLOTS_256,
  DRAM_256,
  SCALARISED,
  SAVED,
  STACK,
  VECTORS,
  E,
  DRAM_E,
  FIGURES
};

/* Values at the paper's sizes. Baseline: millions of cycles, and thread instructions per cycle. Additional cycles with
 * 1024, 512 and 256 slots and additional DRAM beats with 256, in %. Parallel pipelines: instructions scalarised and
 * cycles saved, in %. DRAM beats saved by the stack cache, in %. Maximum of vector registers held. RV32E: additional
 * cycles and DRAM beats, in %. The counters come from the published RTL with the authors' binaries and a DRAM of fixed
 * latency. Where the RTL simulation takes days (Scan, BitonicSortLarge and VecGCD except the baseline and 512 slots;
 * much of the float programs) they come from simtlab with the same binaries; it agrees in 473 of the 475 counters that
 * both have. */
static const struct {
  const char *name;
  double figure[FIGURES];
} suite[SL_BENCHMARKS] = {
    {"VecAdd", {0.287, 31.82, 3.9, 3.9, 3.9, 0, 43.9, 20.8, 0.3, 128, 0.7, 1}},
    {"Histogram", {0.226, 31.67, 4.1, 4.1, 4.1, 0, 14.3, 6.9, 2.3, 64, 3.1, 10}},
    {"Reduce", {0.201, 31.65, 0, 0, 0, 0, 32.6, 31.6, 1.0, 160, 0.7, 3}},
    {"Scan", {7.262, 30.48, 0.5, 0.5, 0.5, 0, 39.5, 33.6, 0.7, 128, 3.6, 238}},
    {"Transpose", {0.173, 31.29, 0.5, 0.5, 3.5, 21, 47.1, 42.1, 26.3, 248, 20.3, 163}},
    {"MatVecMul", {0.372, 29.27, 2.0, 2.0, 2.0, 0, 34.4, 26.9, 4.6, 192, 3.9, 18}},
    {"MatMul", {4.095, 31.29, 0.1, 0.1, 1.2, 60, 42.6, 38.7, 28.2, 256, 2.8, 250}},
    {"BitonicSortSmall", {0.888, 25.68, 0.7, 1.8, 75.0, 1966, 23.6, 11.9, 73.6, 512, 8.5, 415}},
    {"BitonicSortLarge", {25.38, 24.58, 0.6, 1.8, 63.9, 718, 30.7, 16.0, 19.5, 512, 16.5, 266}},
    {"SparseMatVecMul", {1.049, 5.64, 0, 0, 0, 0, 34.7, 0.1, 0.2, 192, 0.2, 0}},
    {"BlockedStencil", {1.875, 27.25, 0.2, 0.2, 19.0, 274, 35.7, 27.5, 7.5, 384, 29.7, 408}},
    {"StripedStencil", {1.170, 31.47, 0.8, 0.8, 10.1, 112, 42.9, 32.7, 8.0, 256, 20.6, 274}},
    {"VecGCD", {2.591, 4.23, 0.6, 0.6, 0.6, 0, 4.7, 0, 3.1, 128, 0.1, 13}},
    {"MotionEst", {0.312, 27.57, 3.0, 3.0, 21.8, 432, 39.0, 20.8, 75.0, 304, 25.0, 290}},
    {"BitonicSortLarge_Float", {25.29, 24.70, 0.7, 1.9, 64.5, 690, 30.9, 15.3, 21.8, 512, NAN, NAN}},
    {"MatMul_Float", {5.097, 31.82, 0.1, 0.1, 0.1, 0, 34.0, 31.0, 53.4, 192, NAN, NAN}},
};

bool sl_simtight_suite_compares(const struct sl_simtight_figures *figures)
{
  return strcmp(figures->runs->size, "paper") == 0;
}

/* Value of a benchmark in a series of the charts; NAN if unknown. */
static double suite_figure(const struct sl_simtight_figures *figures, size_t b, unsigned chart, unsigned series)
{
  static const enum figure cycles[] = {SLOTS_1024, SLOTS_512, SLOTS_256, E}, saved[] = {SCALARISED, SAVED};
  const struct sl_register_storage file = sl_simtight_register_file(figures->runs, SL_RFC_ALL);
  const double registers = (double)file.warps * file.registers;
  if (!sl_simtight_suite_compares(figures))
    return NAN;
  for (size_t i = 0; i < SL_BENCHMARKS; i++) {
    const double *figure = suite[i].figure;
    if (strcmp(suite[i].name, figures->runs->benchmarks[b]->name) != 0)
      continue;
    switch (chart) {
    case SL_FIGURE_6: return series == 0 ? figure[IPC] : figure[IPC] / sl_ratio_of(SL_SAVED, figure[SAVED]);
    case SL_FIGURE_7: return series == 0 ? 100 * figure[VECTORS] / registers : NAN;
    case SL_FIGURE_8_CYCLES: return figure[cycles[series]];
    case SL_FIGURE_8_DRAM: return series == 2 ? figure[DRAM_256] : series == SL_FIGURE_8_RV32E ? figure[DRAM_E] : NAN;
    case SL_STACK_CACHE: return figure[STACK];
    case SL_FIGURE_9: return series == SL_FIGURE_9_TIME ? sl_simtight_time_saved(figure[SAVED]) : figure[saved[series]];
    default: return chart == SL_SIMTIGHT_CHARTS ? figure[CYCLES] : NAN;
    }
  }
  return NAN;
}

static bool is_float(const char *name)
{
  return strstr(name, "_Float") != NULL;
}

/* Mean of the suite or of simtlab over the recorded benchmarks, or over the integer programs of these. */
static double common_mean(const struct sl_simtight_figures *figures, unsigned chart, unsigned series, bool ours,
                          bool integer)
{
  const enum sl_ratio_kind kind = figures->kinds[chart][series];
  double ratios[SL_LIBRARY];
  size_t count = 0;
  for (size_t b = 0; b < figures->runs->benchmark_count; b++) {
    const double theirs = suite_figure(figures, b, chart, series);
    if (!isnan(theirs) && !(integer && is_float(figures->runs->benchmarks[b]->name)))
      ratios[count++] = sl_ratio_of(kind, ours ? figures->charts[chart].series[series].value[b] : theirs);
  }
  return count > 0 ? sl_ratio_shown(kind, sl_geometric_mean(ratios, count)) : NAN;
}

double sl_simtight_suite_mean(const struct sl_simtight_figures *figures, const struct sl_simtight_measure *measure)
{
  return common_mean(figures, measure->chart, measure->series, false, false);
}

/* Measures of the section: those with the largest differences between programs. */
static const struct column {
  const char *title;
  unsigned chart, series;
} columns[] = {{"cycles with 256 slots", SL_FIGURE_8_CYCLES, 2},
               {"instructions scalarised", SL_FIGURE_9, 0},
               {"cycles saved by PP", SL_FIGURE_9, 1},
               {"DRAM saved by stack cache", SL_STACK_CACHE, 0},
               {"cycles with RV32E", SL_FIGURE_8_CYCLES, SL_FIGURE_8_RV32E}};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

static double paper_of(const struct column *c)
{
  for (const struct sl_simtight_measure *m = sl_simtight_measures; m < sl_simtight_measures + SL_SIMTIGHT_MEASURES; m++)
    if (m->chart == c->chart && m->series == c->series)
      return m->paper;
  return NAN;
}

/* "suite / ours", followed by the paper's value, if any. */
static void put_pair(FILE *f, const struct sl_simtight_figures *figures, const struct column *c, double suite_value,
                     double ours, double paper)
{
  const bool sign = figures->kinds[c->chart][c->series] == SL_OVERHEAD;
  char text[32];
  fprintf(f, "<td>%s", isnan(suite_value) ? "&ndash;" : sl_simtight_percent(suite_value, sign, text));
  fprintf(f, " / %s", sl_simtight_percent(ours, sign, text));
  if (!isnan(paper))
    fprintf(f, " / %s", sl_simtight_percent(paper, sign, text));
  fputs("</td>", f);
}

static double millions(const struct sl_simtight_figures *figures, size_t b)
{
  return (double)sl_paper_counter(figures->runs, SL_BASELINE, b, "cycles") / 1e6;
}

static void put_row(FILE *f, const struct sl_simtight_figures *figures, size_t b)
{
  const double ours = millions(figures, b), theirs = suite_figure(figures, b, SL_SIMTIGHT_CHARTS, 0);
  char text[32];
  fputs("<tr>", f);
  sl_html_element(f, "td", figures->runs->benchmarks[b]->name);
  fprintf(f, "<td>%.3f / %.3f</td><td>%s</td>", theirs, ours,
          sl_simtight_percent(100 * (ours / theirs - 1), true, text));
  for (const struct column *c = columns; c < columns + COLUMNS; c++)
    put_pair(f, figures, c, suite_figure(figures, b, c->chart, c->series),
             figures->charts[c->chart].series[c->series].value[b], NAN);
  fputs("</tr>\n", f);
}

static void put_means(FILE *f, const struct sl_simtight_figures *figures)
{
  fputs("<tr>", f);
  sl_html_element(f, "td", "geometric mean, the paper's last");
  fputs("<td>&ndash;</td><td>&ndash;</td>", f);
  for (const struct column *c = columns; c < columns + COLUMNS; c++)
    put_pair(f, figures, c, common_mean(figures, c->chart, c->series, false, false),
             common_mean(figures, c->chart, c->series, true, false), paper_of(c));
  fputs("</tr>\n", f);
}

/* A mean over the integer programs; GCC compiles them for the suite and for simtlab. */
struct integer_mean {
  const char *what;
  unsigned chart, series;
  double paper; /* over all sixteen; NAN: not published */
};

enum { INTEGER_MEANS = SL_SIMTIGHT_MEASURES + 1 };

static struct integer_mean integer_mean_of(size_t row)
{
  if (row < 2)
    return (struct integer_mean){row == 0 ? "Thread instructions per cycle" : "The same with parallel pipelines",
                                 SL_FIGURE_6, (unsigned)row, NAN};
  const struct sl_simtight_measure *m = &sl_simtight_measures[row - 2];
  return (struct integer_mean){m->what, m->chart, m->series, m->paper};
}

static void put_integer_value(FILE *f, const struct sl_simtight_figures *figures, const struct integer_mean *m,
                              double value)
{
  const enum sl_ratio_kind kind = figures->kinds[m->chart][m->series];
  char text[32];
  if (isnan(value))
    fputs("<td>&ndash;</td>", f);
  else if (kind == SL_RATIO)
    fprintf(f, "<td>%.1f</td>", value);
  else
    fprintf(f, "<td>%s</td>", sl_simtight_percent(value, kind == SL_OVERHEAD, text));
}

static void put_integer_means(FILE *f, const struct sl_simtight_figures *figures)
{
  static const char *const titles[] = {"geometric mean of the integer programs", "suite on RTL", "simtlab",
                                       "paper, of all sixteen", NULL};
  fputs("<p>Over the fourteen integer programs, which GCC compiled both for the suite and for simtlab:</p>\n", f);
  sl_html_begin_table(f, titles);
  for (size_t i = 0; i < INTEGER_MEANS; i++) {
    const struct integer_mean m = integer_mean_of(i);
    fputs("<tr>", f);
    sl_html_element(f, "td", m.what);
    put_integer_value(f, figures, &m, common_mean(figures, m.chart, m.series, false, true));
    put_integer_value(f, figures, &m, common_mean(figures, m.chart, m.series, true, true));
    put_integer_value(f, figures, &m, m.paper);
    fputs("</tr>\n", f);
  }
  sl_html_end_table(f);
}

static void put_csv_value(FILE *f, double value)
{
  fprintf(f, isnan(value) ? "," : ",%.9g", value);
}

void sl_simtight_integer_csv(FILE *f, const void *context)
{
  const struct sl_simtight_figures *figures = context;
  fputs("measure,suite,simtlab,paper of sixteen\n", f);
  for (size_t i = 0; i < INTEGER_MEANS; i++) {
    const struct integer_mean m = integer_mean_of(i);
    fprintf(f, "\"%s\"", m.what);
    put_csv_value(f, common_mean(figures, m.chart, m.series, false, true));
    put_csv_value(f, common_mean(figures, m.chart, m.series, true, true));
    put_csv_value(f, m.paper);
    fputc('\n', f);
  }
}

static bool is_known(const struct sl_simtight_figures *figures, size_t b)
{
  return !isnan(suite_figure(figures, b, SL_SIMTIGHT_CHARTS, 0));
}

void sl_simtight_suite_section(FILE *f, const struct sl_simtight_figures *figures)
{
  if (!sl_simtight_suite_compares(figures)) {
    fputs("<p>The published RTL is recorded at the paper's sizes, so it is not compared with runs of these sizes; the "
          "paper's own numbers are for its sizes, too.</p>\n",
          f);
    return;
  }
  const char *titles[COLUMNS + 4] = {"suite on RTL / ours", "cycles (millions)", "difference"};
  for (size_t i = 0; i < COLUMNS; i++)
    titles[i + 3] = columns[i].title;
  fputs("<h2>Benchmark by benchmark</h2>\n<p>The published suite on the published RTL at the paper's sizes, recorded, "
        "and "
        "the programs run here, of the same shape but other sources. The paper prints means only. Means are of the "
        "benchmarks of which the suite has a figure: its float programs are not built for RV32E.</p>\n",
        f);
  sl_html_begin_table(f, titles);
  for (size_t b = 0; b < figures->runs->benchmark_count; b++)
    if (is_known(figures, b))
      put_row(f, figures, b);
  put_means(f, figures);
  sl_html_end_table(f);
  put_integer_means(f, figures);
  fputs(
      "<p class=\"soft\">Numbers: <a href=\"suite.csv\">suite.csv</a>, <a href=\"integer.csv\">integer.csv</a>.</p>\n",
      f);
}

void sl_simtight_suite_csv(FILE *f, const void *context)
{
  const struct sl_simtight_figures *figures = context;
  fputs("benchmark,\"suite, cycles (millions)\",\"simtlab, cycles (millions)\"", f);
  for (const struct column *c = columns; c < columns + COLUMNS; c++)
    fprintf(f, ",\"suite, %s (%%)\",\"simtlab, %s (%%)\"", c->title, c->title);
  fputc('\n', f);
  for (size_t b = 0; b < figures->runs->benchmark_count; b++) {
    if (!is_known(figures, b))
      continue;
    fprintf(f, "\"%s\",%g,%.9g", figures->runs->benchmarks[b]->name, suite_figure(figures, b, SL_SIMTIGHT_CHARTS, 0),
            millions(figures, b));
    for (const struct column *c = columns; c < columns + COLUMNS; c++) {
      const double theirs = suite_figure(figures, b, c->chart, c->series);
      fprintf(f, isnan(theirs) ? "," : ",%g", theirs);
      fprintf(f, ",%.9g", figures->charts[c->chart].series[c->series].value[b]);
    }
    fputc('\n', f);
  }
}
