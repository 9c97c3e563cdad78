/* Published numbers, charts, tables and page of the reproduction. */
#include <math.h>

#include "cli/paper/paper_cfm.h"
#include "observe/html.h"

#define REGULAR (1u << SL_SAXPY | 1u << SL_SGEMV | 1u << SL_SGEMM | 1u << SL_CONV2D)
#define GCN (1u << SL_GCN_AGGR)
#define W8T32 (SL_CFM_SHAPES + 2 * 3)
#define CORES_8 (SL_CFM_CORES + 2 * 2)
#define CLUSTERS_8 (SL_CFM_CLUSTERS + 2 * 2)

/* ---- published numbers ------------------------------------------------------------------------------------------- */

/* Section VI-2 and VI-3, Table III. The published 8 is the mean of six kernels: the numbers of the text for the seven
 * kernels (four times 10, 2.5, 5 and 1.7) have the mean 7.0, without gcn_aggr 7.9. */
#define SPEED_UP SL_CFM_SPEEDUP, SL_CFM_PREDICATED, SL_CFM_PORTS_3
#define FEWER SL_CFM_REDUCTION, SL_CFM_PREDICATED, SL_CFM_PORTS_3
#define SHARE SL_CFM_SHARE, SL_CFM_PORTS_3, SL_CFM_PORTS_3
#define RATE(config) SL_CFM_RATE, config, config, SL_CFM_SEVEN, false
/* clang-format off */
const struct sl_cfm_measure sl_cfm_measures[SL_CFM_MEASURES] = {
    {"Speed-up, mean of six kernels", "VI-2", SPEED_UP, SL_CFM_SIX, false, 8},
    {"Fewer instructions, mean of six", "VI-2", FEWER, SL_CFM_SIX, false, 10},
    {"Speed-up, mean of seven", "VI-2, mean of its numbers", SPEED_UP, SL_CFM_SEVEN, false, 7.0},
    {"Speed-up over hand-optimised, six", "", SL_CFM_SPEEDUP, SL_CFM_PLAIN, SL_CFM_PORTS_3, SL_CFM_SIX, false, 0},
    {"Fewer than hand-optimised, six", "", SL_CFM_REDUCTION, SL_CFM_PLAIN, SL_CFM_PORTS_3, SL_CFM_SIX, false, 0},
    {"Share of peak (%), mean of six", "VI-2", SHARE, SL_CFM_SIX, false, 50},
    {"Share of peak (%), mean of seven", "Table III: 4.63 of 12.8", SHARE, SL_CFM_SEVEN, false, 36.2},
    {"Speed-up of BLAS, conv2d, at most", "VI-2", SPEED_UP, REGULAR, true, 10},
    {"Fewer instructions of these", "VI-2", FEWER, REGULAR, true, 15},
    {"Speed-up of knn", "VI-2", SPEED_UP, 1u << SL_KNN, false, 2.5},
    {"Speed-up of sfilter", "VI-2", SPEED_UP, 1u << SL_SFILTER, false, 5},
    {"Speed-up of gcn_aggr, loops only", "VI-2", SL_CFM_SPEEDUP, SL_CFM_PREDICATED, SL_CFM_LOOPS, GCN, false, 1.7},
    {"Fewer of gcn_aggr, loops only", "VI-2", SL_CFM_REDUCTION, SL_CFM_PREDICATED, SL_CFM_LOOPS, GCN, false, 1.7},
    {"Speed-up with 32 threads", "VI-3", SL_CFM_SPEEDUP, W8T32, W8T32 + 1, SL_CFM_SIX, false, 7},
    {"Speed-up with 8 clusters of a core", "Figure 8", SL_CFM_SPEEDUP, CLUSTERS_8, CLUSTERS_8 + 1, SL_CFM_SIX, false,
     8},
    {"GFLOP/s without extensions", "Table III", RATE(SL_CFM_PREDICATED), 0.87},
    {"GFLOP/s, unrolled 4 times", "Table III", RATE(SL_CFM_UNROLL_4), 0.91},
    {"GFLOP/s, loops, streams, 3 ports", "Table III", RATE(SL_CFM_PORTS_3), 4.63},
    {"These by those without extensions", "Table III: 4.63 by 0.87", SL_CFM_GAIN, SL_CFM_PREDICATED, SL_CFM_PORTS_3,
     SL_CFM_SEVEN, false, 5.3},
};
/* clang-format on */

/* Rows of Table III as published: area in mm2, GFLOP/s, and GFLOP/s per mm2; 0: not a row of the paper. */
static const struct row {
  const char *name;
  enum sl_cfm_config_id config;
  unsigned cores;
  double area, rate, efficiency;
} table_3[] = {
    {"baseline", SL_CFM_PREDICATED, 1, 2.41, 0.87, 0.35},
    {"baseline", SL_CFM_CORES, 2, 4.81, 1.46, 0.30},
    {"baseline", SL_CFM_CORES + 2, 4, 9.63, 2.93, 0.30},
    {"baseline", CORES_8, 8, 19.26, 5.83, 0.30},
    {"baseline, clusters of a core", SL_CFM_CLUSTERS, 2, 4.81, 1.46, 0.30},
    {"baseline, clusters of a core", SL_CFM_CLUSTERS + 2, 4, 9.63, 2.93, 0.30},
    {"baseline, clusters of a core", CLUSTERS_8, 8, 19.26, 5.83, 0.30},
    {"baseline, clusters, no second level", SL_CFM_DIRECT, 2, 4.81, 1.46, 0.30},
    {"baseline, clusters, no second level", SL_CFM_DIRECT + 1, 4, 9.63, 2.93, 0.30},
    {"baseline, clusters, no second level", SL_CFM_DIRECT + 2, 8, 19.26, 5.83, 0.30},
    {"optimised by hand", SL_CFM_PLAIN, 1, 2.41, 0, 0},
    {"unrolled 4 times", SL_CFM_UNROLL_4, 1, 2.41, 0.91, 0.38},
    {"unrolled 8 times", SL_CFM_UNROLL_8, 1, 2.41, 0.90, 0.37},
    {"loops, streams, 2 ports", SL_CFM_PORTS_2, 1, 0, 0, 0},
    {"loops, streams, 3 ports", SL_CFM_PORTS_3, 1, 2.89, 4.63, 1.63},
};

/* ---- charts ------------------------------------------------------------------------------------------------------ */

enum { FIGURE_7 = 1, FIGURE_8 }; /* sections */

static const struct {
  const char *name;
  enum sl_cfm_config_id config;
} bars[] = {{"without", SL_CFM_PREDICATED},
            {"loops", SL_CFM_LOOPS},
            {"loops, streams, 1 port", SL_CFM_PORTS_1},
            {"2 ports", SL_CFM_PORTS_2},
            {"3 ports", SL_CFM_PORTS_3}};

enum { BARS = sizeof bars / sizeof bars[0] };
SL_HOLDS(SL_CHART_SERIES, BARS, "a bar of each configuration");
SL_HOLDS(SL_CHART_GROUPS, SL_CFM_KERNELS + 2, "kernels and two means");

/* The published value of a bar, by set of kernels and configuration. */
static struct sl_chart_published published(enum sl_cfm_kind kind, size_t base, size_t config, unsigned kernels)
{
  for (const struct sl_cfm_measure *m = sl_cfm_measures; m < sl_cfm_measures + SL_CFM_MEASURES; m++)
    if (m->kind == kind && m->config == config && m->kernels == kernels && !m->largest && m->paper > 0 &&
        (m->base == base || m->base == config))
      return (struct sl_chart_published){m->paper, true};
  return (struct sl_chart_published){0};
}

static void draw_figure_7(const struct sl_paper_runs *runs, struct sl_chart *chart, enum sl_cfm_kind kind,
                          enum sl_cfm_way way)
{
  for (size_t b = kind == SL_CFM_SHARE ? 0 : 1; b < BARS; b++) {
    struct sl_chart_series *series = &chart->series[chart->series_count++];
    series->name = bars[b].name;
    series->colour = 1 + (unsigned)b;
    chart->group_count = 0;
    for (size_t k = 0; k < SL_CFM_KERNELS + 2; k++) {
      const bool one = k < SL_CFM_KERNELS, seven = k == SL_CFM_KERNELS;
      const unsigned kernels = one ? 1u << k : seven ? SL_CFM_SEVEN : SL_CFM_SIX;
      if (one && !sl_cfm_has(runs, bars[b].config, k))
        continue;
      chart->groups[chart->group_count] = one ? sl_cfm_sweeps[k].kernel : seven ? "mean of 7" : "mean of 6";
      series->published[chart->group_count] = published(kind, SL_CFM_PREDICATED, bars[b].config, kernels);
      series->value[chart->group_count++] = sl_cfm_mean(runs, kind, SL_CFM_PREDICATED, bars[b].config, kernels, way);
    }
  }
}

/* A group of Figure 8. */
struct scale {
  const char *name;
  size_t base, config;
};

static void draw_figure_8(const struct sl_paper_runs *runs, struct sl_chart *chart, const struct scale *scales)
{
  static const char *const ways[SL_CFM_WAYS] = {"sweep average", "slope", "whole program"};
  chart->series_count = SL_CFM_WAYS;
  for (const struct scale *s = scales; s->name != NULL; s++) {
    for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++) {
      struct sl_chart_series *series = &chart->series[way];
      series->name = ways[way];
      series->value[chart->group_count] = sl_cfm_mean(runs, SL_CFM_SPEEDUP, s->base, s->config, SL_CFM_SIX, way);
      series->published[chart->group_count] = published(SL_CFM_SPEEDUP, s->base, s->config, SL_CFM_SIX);
    }
    chart->groups[chart->group_count++] = s->name;
  }
}

static void draw(const struct sl_paper_runs *runs, struct sl_paper_charts *charts)
{
  static const char *const ids[SL_CFM_WAYS][3] = {
      {"figure7-speedup-sweep", "figure7-instructions-sweep", "figure7-peak-sweep"},
      {"figure7-speedup-slope", "figure7-instructions-slope", "figure7-peak-slope"},
      {"figure7-speedup-whole", "figure7-instructions-whole", "figure7-peak-whole"}};
  static const char *const titles[] = {"Speed-up", "Fewer instructions", "Share of peak"};
  static const char *const units[] = {"times as fast", "times fewer", "% of peak"};
  static const char *const captions[SL_CFM_WAYS] = {"Kernel region, mean over the sweep.",
                                                    "Kernel region, slope over the sweep.",
                                                    "Whole program, mean over the sweep."};
  static const struct scale shapes[] = {{"w4t16", SL_CFM_SHAPES, SL_CFM_SHAPES + 1},
                                        {"w8t16", SL_CFM_PREDICATED, SL_CFM_PORTS_3},
                                        {"w16t16", SL_CFM_SHAPES + 2, SL_CFM_SHAPES + 3},
                                        {"w4t32", SL_CFM_SHAPES + 4, SL_CFM_SHAPES + 5},
                                        {"w8t32", SL_CFM_SHAPES + 6, SL_CFM_SHAPES + 7},
                                        {"w16t32", SL_CFM_SHAPES + 8, SL_CFM_SHAPES + 9},
                                        {NULL, 0, 0}};
  static const struct scale cores[] = {
      {"1 core", SL_CFM_PREDICATED, SL_CFM_PORTS_3},        {"2 cores", SL_CFM_CORES, SL_CFM_CORES + 1},
      {"4 cores", SL_CFM_CORES + 2, SL_CFM_CORES + 3},      {"8 cores", CORES_8, CORES_8 + 1},
      {"2 clusters", SL_CFM_CLUSTERS, SL_CFM_CLUSTERS + 1}, {"4 clusters", SL_CFM_CLUSTERS + 2, SL_CFM_CLUSTERS + 3},
      {"8 clusters", CLUSTERS_8, CLUSTERS_8 + 1},           {NULL, 0, 0}};
  for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++)
    for (enum sl_cfm_kind kind = SL_CFM_SPEEDUP; kind <= SL_CFM_SHARE; kind++) {
      struct sl_paper_chart *chart =
          sl_paper_add_chart(charts, FIGURE_7, ids[way][kind], titles[kind], units[kind], "benchmark");
      chart->caption = captions[way];
      chart->chart.mean_last = true;
      draw_figure_7(runs, &chart->chart, kind, way);
    }
  struct sl_paper_chart *left =
      sl_paper_add_chart(charts, FIGURE_8, "figure8-shapes", "Average speed-up by warps and threads", "times as fast",
                         "warps and threads");
  struct sl_paper_chart *right = sl_paper_add_chart(charts, FIGURE_8, "figure8-cores", "Average speed-up by cores",
                                                    "times as fast", "number of cores");
  left->caption = "One core.";
  right->caption = "8 warps of 16 threads; each core has its own first-level caches. Cores share one memory port; "
                   "clusters have one core, with a second-level cache and a memory port each, 8-way data caches, and "
                   "lines on all DRAM channels.";
  draw_figure_8(runs, &left->chart, shapes);
  draw_figure_8(runs, &right->chart, cores);
}

/* ---- remarks ----------------------------------------------------------------------------------------------------- */

/* Whether no way is within three tenths of the published number. */
static bool is_far(const struct sl_paper_runs *runs, const struct sl_cfm_measure *m)
{
  static const double near_part = 0.3;
  bool far = m->paper > 0;
  for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++)
    far &= fabs(sl_cfm_measured(runs, m, way) - m->paper) > near_part * m->paper;
  return far;
}

/* The kernel of the set whose value differs most from the published one, in the way of the paper's averages. */
static size_t furthest(const struct sl_paper_runs *runs, const struct sl_cfm_measure *m)
{
  size_t found = SL_CFM_KERNELS;
  double most = -1;
  for (size_t k = 0; k < SL_CFM_KERNELS; k++) {
    if (!(m->kernels >> k & 1) || !sl_cfm_has(runs, m->config, k))
      continue;
    const double value = sl_cfm_value(runs, m->kind, m->base, m->config, k, SL_CFM_SLOPE);
    const double distance = fabs(log(fmax(value, 1e-9) / m->paper));
    if (distance > most) {
      most = distance;
      found = k;
    }
  }
  return found;
}

/* Cycles and instructions for one FLOP in each lane of a warp. */
static void put_line(FILE *f, const struct sl_paper_runs *runs, size_t config, size_t kernel, const char *name)
{
  const double lanes = sl_cfm_peak(runs, config);
  fprintf(f, "%s %.1f cycles and %.1f instructions of a warp for every %.0f FLOPs", name,
          sl_cfm_slope(runs, config, kernel, SL_CFM_CYCLES, NULL) * lanes,
          sl_cfm_slope(runs, config, kernel, SL_CFM_INSTRUCTIONS, NULL), lanes);
}

/* Lines that the streams request, which limit the speedup. */
static void put_lines(FILE *f, const struct sl_paper_runs *runs, size_t config, size_t kernel)
{
  const double lines = sl_cfm_slope(runs, config, kernel, SL_CFM_LINES, NULL);
  const double cycles = sl_cfm_slope(runs, config, kernel, SL_CFM_CYCLES, NULL);
  if (lines > 0 && cycles > 0)
    fprintf(f, "; its streams request %.2f lines per cycle, %.1f per instruction", lines / cycles,
            lines * sl_cfm_peak(runs, config));
}

static double speedup_of_slots(const struct sl_paper_runs *runs, size_t at)
{
  return sl_cfm_value(runs, SL_CFM_SPEEDUP, SL_CFM_SLOTS + 2 * at, SL_CFM_SLOTS + 2 * at + 1, SL_GCN_AGGR,
                      SL_CFM_SLOPE);
}

/* gcn_aggr, which cannot stream: the same with more outstanding loads. */
static void put_loads(FILE *f, const struct sl_paper_runs *runs)
{
  if (sl_cfm_has(runs, SL_CFM_SLOTS, SL_GCN_AGGR))
    fprintf(f,
            ". Its loads keep both load slots of the core busy, with hardware loops or without; with 4 slots the "
            "speedup is %.2f, with 16 %.2f, and with 16 and a data cache that misses only once per line %.2f",
            speedup_of_slots(runs, 0), speedup_of_slots(runs, 1), speedup_of_slots(runs, 2));
}

/* Fixed cost of a launch relative to the smallest and the largest run. */
static void put_start(FILE *f, const struct sl_paper_runs *runs, size_t config, size_t kernel)
{
  const size_t last = sl_cfm_points(runs, kernel) - 1;
  double start;
  sl_cfm_slope(runs, config, kernel, SL_CFM_CYCLES, &start);
  if (start > 0)
    fprintf(f, ". A launch takes %.0f fixed cycles, of %.0f to %.0f in total", start,
            (double)sl_cfm_run(runs, config, kernel, 0)->result.region.cycles,
            (double)sl_cfm_run(runs, config, kernel, last)->result.region.cycles);
}

/* Explains the difference by counters. */
static void put_remark(const struct sl_sheet *sheet, const struct sl_paper_runs *runs, const struct sl_cfm_measure *m)
{
  const size_t kernel = furthest(runs, m);
  FILE *f = sheet->file;
  if (kernel == SL_CFM_KERNELS)
    return;
  fprintf(f, "The largest difference is %s, %.2f: ", sl_cfm_sweeps[kernel].kernel,
          sl_cfm_value(runs, m->kind, m->base, m->config, kernel, SL_CFM_SLOPE));
  if (m->base != m->config) {
    put_line(f, runs, m->base, kernel, "without extensions, it takes");
    fputs("; ", f);
  }
  put_line(f, runs, m->config, kernel, "here, it takes");
  put_lines(f, runs, m->config, kernel);
  if (kernel == SL_GCN_AGGR && m->kind != SL_CFM_REDUCTION)
    put_loads(f, runs);
  else
    put_start(f, runs, m->config, kernel);
  fputs(".", f);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void put_summary_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (const struct sl_cfm_measure *m = sl_cfm_measures; m < sl_cfm_measures + SL_CFM_MEASURES; m++) {
    const bool page = sheet->form == SL_SHEET_PAGE;
    sl_sheet_text(sheet, "%s", m->what);
    for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++)
      sl_sheet_number(sheet, 2, sl_cfm_measured(runs, m, way));
    sl_sheet_published(sheet, m->paper);
    if (page)
      sl_sheet_text(sheet, "%s", m->where);
    sl_sheet_end_row(sheet);
    if (!page || !is_far(runs, m))
      continue;
    sl_sheet_begin_remark(sheet);
    put_remark(sheet, runs, m);
    sl_sheet_end_remark(sheet);
  }
}

static void put_row(struct sl_sheet *sheet, const struct sl_paper_runs *runs, const struct row *row)
{
  const bool known = row->rate > 0;
  double rate[SL_CFM_WAYS];
  sl_sheet_text(sheet, "%s", row->name);
  sl_sheet_count(sheet, row->cores);
  for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++) {
    rate[way] = sl_cfm_mean(runs, SL_CFM_RATE, row->config, row->config, SL_CFM_SEVEN, way);
    sl_sheet_number(sheet, 2, rate[way]);
  }
  sl_sheet_number(sheet, 2, known ? row->rate : NAN);
  sl_sheet_number(sheet, 2, known ? row->area : NAN);
  if (sheet->form == SL_SHEET_PAGE) {
    sl_sheet_number(sheet, 2, known ? rate[SL_CFM_SWEEP] / row->area : NAN);
    sl_sheet_number(sheet, 2, known ? rate[SL_CFM_SLOPE] / row->area : NAN);
  }
  sl_sheet_number(sheet, 2, known ? row->efficiency : NAN);
  sl_sheet_end_row(sheet);
}

static void put_table_3_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (size_t i = 0; i < sizeof table_3 / sizeof table_3[0]; i++)
    put_row(sheet, runs, &table_3[i]);
}

static void put_values(struct sl_sheet *sheet, const struct sl_paper_runs *runs, size_t c, size_t k)
{
  static const struct {
    const char *name;
    enum sl_cfm_kind kind;
    bool plain; /* relative to the hand-optimised baseline */
  } values[] = {
      {"speed-up", SL_CFM_SPEEDUP, false},           {"fewer instructions", SL_CFM_REDUCTION, false},
      {"speed-up over plain", SL_CFM_SPEEDUP, true}, {"fewer instructions than plain", SL_CFM_REDUCTION, true},
      {"share of peak (%)", SL_CFM_SHARE, false},    {"GFLOP/s", SL_CFM_RATE, false}};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    const size_t base = runs->configs[c].base;
    if (values[i].plain && base != SL_CFM_PREDICATED)
      continue;
    sl_sheet_word(sheet, "%s", runs->configs[c].name);
    sl_sheet_word(sheet, "%s", sl_cfm_sweeps[k].kernel);
    sl_sheet_text(sheet, "%s", values[i].name);
    for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++)
      sl_sheet_number(sheet, 2, sl_cfm_value(runs, values[i].kind, values[i].plain ? SL_CFM_PLAIN : base, c, k, way));
    sl_sheet_end_row(sheet);
  }
}

static void put_value_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (size_t c = 0; c < SL_CFM_CONFIGS; c++)
    for (size_t k = 0; k < SL_CFM_KERNELS; k++)
      if (sl_cfm_has(runs, c, k))
        put_values(sheet, runs, c, k);
}

static void put_run_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (const struct sl_paper_run *run = runs->runs; run < runs->runs + runs->paper->places; run++) {
    if (!run->planned)
      continue;
    sl_sheet_word(sheet, "%s", run->config->name);
    sl_sheet_word(sheet, "%s", run->benchmark);
    sl_sheet_word(sheet, "%s", run->argument);
    sl_sheet_count(sheet, run->result.region.flops);
    sl_sheet_count(sheet, run->result.region.cycles);
    sl_sheet_count(sheet, run->result.region.thread_instrs);
    sl_sheet_count(sheet, sl_paper_counter(run, "cycles"));
    sl_sheet_count(sheet, sl_paper_counter(run, "thread_instrs"));
    sl_sheet_end_row(sheet);
  }
}

/* Both baselines, and experiments that show the bottleneck of a kernel. */
static void put_experiment_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  static const enum sl_cfm_config_id configs[] = {SL_CFM_PORTS_3,   SL_CFM_LINES_3,   SL_CFM_SUMS_2,   SL_CFM_LOOPS,
                                                  SL_CFM_SLOTS + 1, SL_CFM_SLOTS + 3, SL_CFM_SLOTS + 5};
  for (size_t i = 0; i < sizeof configs / sizeof configs[0]; i++)
    for (size_t k = 0; k < SL_CFM_KERNELS; k++) {
      const size_t c = configs[i], base = runs->configs[c].base;
      if (!sl_cfm_has(runs, c, k) || (k != SL_GCN_AGGR) == (c == SL_CFM_LOOPS) ||
          (c == SL_CFM_PORTS_3 && k == SL_GCN_AGGR))
        continue;
      sl_sheet_text(sheet, "%s", runs->configs[c].about);
      sl_sheet_text(sheet, "%s", sl_cfm_sweeps[k].kernel);
      sl_sheet_number(sheet, 2, sl_cfm_value(runs, SL_CFM_SPEEDUP, base, c, k, SL_CFM_SLOPE));
      sl_sheet_number(sheet, 2, sl_cfm_value(runs, SL_CFM_REDUCTION, base, c, k, SL_CFM_SLOPE));
      sl_sheet_number(sheet, 2,
                      base == SL_CFM_PREDICATED ? sl_cfm_value(runs, SL_CFM_SPEEDUP, SL_CFM_PLAIN, c, k, SL_CFM_SLOPE)
                                                : NAN);
      sl_sheet_number(sheet, 2, sl_cfm_value(runs, SL_CFM_SHARE, base, c, k, SL_CFM_SLOPE));
      sl_sheet_end_row(sheet);
    }
}

static void put_rtl_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  for (size_t k = 0; k <= SL_CFM_KERNELS; k++) {
    const unsigned kernels = k < SL_CFM_KERNELS ? 1u << k : SL_CFM_SEVEN;
    if (k < SL_CFM_KERNELS && !sl_cfm_has(runs, SL_CFM_RTL, k))
      continue;
    sl_sheet_text(sheet, "%s", k < SL_CFM_KERNELS ? sl_cfm_sweeps[k].kernel : "average");
    for (size_t c = SL_CFM_RTL; c < SL_CFM_RTL + 6; c += 3) {
      sl_sheet_number(sheet, 2, sl_cfm_mean(runs, SL_CFM_SHARE, c, c, kernels, SL_CFM_SLOPE));
      sl_sheet_number(sheet, 2, sl_cfm_mean(runs, SL_CFM_SPEEDUP, c, c + 1, kernels, SL_CFM_SLOPE));
      sl_sheet_number(sheet, 2, sl_cfm_mean(runs, SL_CFM_SPEEDUP, c, c + 2, kernels, SL_CFM_SLOPE));
      sl_sheet_number(sheet, 2, sl_cfm_mean(runs, SL_CFM_SHARE, c, c + 2, kernels, SL_CFM_SLOPE));
    }
    sl_sheet_end_row(sheet);
  }
}

static void put_background_rows(struct sl_sheet *sheet, const struct sl_paper_runs *runs)
{
  static const enum sl_cfm_config_id configs[] = {SL_CFM_PREDICATED, SL_CFM_LOOPS, SL_CFM_PORTS_3};
  for (size_t k = 0; k < SL_CFM_KERNELS; k++) {
    if (!runs->chosen[k])
      continue;
    sl_sheet_text(sheet, "%s", sl_cfm_sweeps[k].kernel);
    for (size_t c = 0; c < sizeof configs / sizeof configs[0]; c++) {
      double start;
      const double cycles = sl_cfm_slope(runs, configs[c], k, SL_CFM_CYCLES, &start);
      sl_sheet_number(sheet, 2, cycles * sl_cfm_peak(runs, configs[c]));
      sl_sheet_number(sheet, 2, sl_cfm_slope(runs, configs[c], k, SL_CFM_INSTRUCTIONS, NULL));
      sl_sheet_number(sheet, 0, start);
    }
    sl_sheet_number(sheet, 2,
                    sl_cfm_slope(runs, SL_CFM_PORTS_3, k, SL_CFM_LINES, NULL) * sl_cfm_peak(runs, SL_CFM_PORTS_3));
    sl_sheet_end_row(sheet);
  }
}

/* ---- page -------------------------------------------------------------------------------------------------------- */

static void introduce(FILE *f, const struct sl_paper_runs *runs)
{
  unsigned kernels = 0;
  for (size_t k = 0; k < SL_CFM_KERNELS; k++)
    kernels += runs->chosen[k];
  fprintf(f,
          ", section VI: %u of %d kernels on %d configurations, %zu runs at the %s sizes, by simtlab %s. "
          "All values in columns and bars named simtlab come from these runs; areas are the published ones.</p>\n",
          kernels, SL_CFM_KERNELS, SL_CFM_CONFIGS, runs->count, runs->order->size, SL_VERSION);
  if (kernels < SL_CFM_KERNELS)
    fputs("<p>Not all kernels were run: the averages cover only those that were.</p>\n", f);
  fputs("<p class=\"soft\">paper: the published values, measured on the authors' simulator with the extensions, whose "
        "sources are not published. The kernels are simtlab's own, with the same names and sweeps (Table II). Without "
        "extensions, every loop is predicated and reads its bounds at run time, as section III describes the baseline; "
        "the variant <b>optimised by hand</b> predicates only where lanes diverge. <b>Sweep average</b>: the kernel "
        "region, from the cycle in which the warps start until all have ended, as the mean over the sweep. "
        "<b>Slope</b>: cycles or instructions per additional FLOP over the sweep, without the fixed cost of a launch. "
        "<b>Whole program</b>: includes filling the arrays and checking the results on the GPU, as the mean over the "
        "sweep. A multiply-add is one FLOP; averages over kernels are arithmetic. An average of six excludes gcn_aggr, "
        "as in the paper's Figure 8: the numbers that its text gives for the seven kernels have a mean of 7.0, without "
        "gcn_aggr of 7.9, and are printed as 8.</p>\n",
        f);
}

static const struct sl_paper_table summary = {
    SL_PAPER_TITLES("", ">sweep average", ">slope", ">whole program", ">paper"),
    "measure,\"sweep average\",slope,\"whole program\",paper", 6, put_summary_rows};
static const struct sl_paper_table page_summary = {
    .titles = SL_PAPER_TITLES("", "sweep average", "slope", "whole program", "paper", "in the paper"),
    .rows = put_summary_rows};
static const struct sl_paper_table performance = {
    SL_PAPER_TITLES("", "cores", "GFLOP/s, sweep average", "slope", "whole program", "paper", "area, mm² (published)",
                    "GFLOP/s per mm², sweep average", "slope", "paper"),
    "machine,cores,\"GFLOP/s, sweep average\",slope,\"whole program\",paper,\"area (mm2, published)\","
    "\"GFLOP/s/mm2, paper\"",
    6, put_table_3_rows};
static const struct sl_paper_table values = {
    NULL, "configuration,kernel,value,\"sweep average\",slope,\"whole program\"", 6, put_value_rows};
static const struct sl_paper_table run_table = {
    NULL,
    "configuration,kernel,size,flops,\"kernel cycles\",\"kernel thread instructions\",\"program cycles\","
    "\"program thread instructions\"",
    6, put_run_rows};
static const struct sl_paper_table experiments = {
    .titles = SL_PAPER_TITLES("slope", "kernel", "speed-up", "fewer instructions", "over plain", "% of peak"),
    .rows = put_experiment_rows};
static const struct sl_paper_table rtl = {
    .titles = SL_PAPER_TITLES("slope", "plain, % of peak", "loops, faster", "extended, faster", "extended, % of peak",
                              "plain, queue of 4", "loops, faster", "extended, faster", "extended, % of peak"),
    .rows = put_rtl_rows};
static const struct sl_paper_table background = {
    .titles = SL_PAPER_TITLES("kernel", "without: cycles per FLOP of a warp", "instructions", "start", "loops: cycles",
                              "instructions", "start", "streams, 3 ports: cycles", "instructions", "start",
                              "lines of streams"),
    .rows = put_background_rows};
static const struct sl_paper_table configurations = {
    .titles = SL_PAPER_TITLES("configuration", "what it is", "preset", "changed keys", "programs"),
    .rows = sl_paper_config_rows};

static const struct sl_paper_section sections[] = {
    {"Summary", .table = &page_summary},
    {"Figure 7: speedup, instruction reduction, share of peak",
     "gcn_aggr accesses memory indirectly, so it uses hardware loops but no streams. sgemv_rows is sgemv with a "
     "row-major matrix and is in no average. Published in the text: on average a speedup of 8, 10 times fewer "
     "instructions, 50 % of peak; up to 10 and 15 times for saxpy, sgemv, sgemm and conv2d; speedups of 2.5 for knn, "
     "5 for sfilter, 1.7 for gcn_aggr.",
     .charts = FIGURE_7},
    {"Figure 8: threads, warps and cores",
     "Loops, streams and three ports relative to the same shape without extensions; the average excludes gcn_aggr. "
     "Published: a speedup of 8 with 16 threads and 7 with 32, almost independent of the number of warps.",
     .charts = FIGURE_8},
    {"Table III: performance", .table = &performance,
     .notes = "At 800 MHz, averages over the kernels. Areas are the paper's (22 nm synthesis), not of this build; "
              "GFLOP/s per mm² divides simtlab's rate by that area. Cores have their own first-level caches and share "
              "one memory port. Numbers: <a href=\"table3.csv\">table3.csv</a>."},
    {"Experiments",
     "The bottlenecks of the kernels: each row changes one thing. Speedup is relative to the same machine without "
     "extensions, every loop predicated; plain is optimised by hand.",
     .table = &experiments},
    {"RTL timing",
     "The same on machines that follow the published Verilog. Their FPU queue of two entries passes one multiply-add "
     "in three cycles; a queue of four is shown, too.",
     .table = &rtl, .notes = "Numbers: <a href=\"values.csv\">values.csv</a>, with the sweep averages."},
    {"Analysis",
     "Kernel region: for one FLOP in each lane of a warp, the additional core cycles, warp instructions, and lines "
     "that the streams request; and the fixed cycles of a launch, by the same straight line.",
     .table = &background},
    {"Configurations", .table = &configurations,
     .notes = "Every run with its size, kernel region and whole program: <a href=\"runs.csv\">runs.csv</a>; all "
              "counters of the runs: <code>runs/</code>. The summary: <a href=\"summary.csv\">summary.csv</a>."},
    {.heading = NULL},
};

static const struct sl_paper_file files[] = {{"summary.csv", &summary, NULL},
                                             {"table3.csv", &performance, NULL},
                                             {"values.csv", &values, NULL},
                                             {"runs.csv", &run_table, NULL},
                                             {NULL, NULL, NULL}};

const struct sl_paper_report sl_paper_cfm_report = {
    .title = "Decoupled Control Flow and Data Access in RISC-V GPGPUs, reproduced",
    .draw = draw,
    .drawings = true,
    .introduce = introduce,
    .sections = sections,
    .files = files,
    .summary = &summary};
