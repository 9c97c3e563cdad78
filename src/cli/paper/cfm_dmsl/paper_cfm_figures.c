#include "cli/paper/cfm_dmsl/paper_cfm_figures.h"

#include <math.h>
#include <string.h>

static const double clock_ghz = 0.8; /* the frequency of Table III */

#define REGULAR (1u << SL_SAXPY | 1u << SL_SGEMV | 1u << SL_SGEMM | 1u << SL_CONV2D)
#define GCN (1u << SL_GCN_AGGR)
#define W8T32 (SL_CFM_SHAPES + 2 * 3)
#define CORES_8 (SL_CFM_CORES + 2 * 2)
#define CLUSTERS_8 (SL_CFM_CLUSTERS + 2 * 2)

const char *const sl_cfm_ways[SL_CFM_WAYS] = {"sweep average", "slope", "whole program"};

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
    {"Speed-up over hand-optimised, six", "", SL_CFM_SPEEDUP, SL_CFM_PLAIN, SL_CFM_PORTS_3,
     SL_CFM_SIX, false, 0},
    {"Fewer than hand-optimised, six", "", SL_CFM_REDUCTION, SL_CFM_PLAIN, SL_CFM_PORTS_3, SL_CFM_SIX,
     false, 0},
    {"Share of peak (%), mean of six", "VI-2", SHARE, SL_CFM_SIX, false, 50},
    {"Share of peak (%), mean of seven", "Table III: 4.63 of 12.8", SHARE, SL_CFM_SEVEN, false, 36.2},
    {"Speed-up of BLAS, conv2d, at most", "VI-2", SPEED_UP, REGULAR, true, 10},
    {"Fewer instructions of these", "VI-2", FEWER, REGULAR, true, 15},
    {"Speed-up of knn", "VI-2", SPEED_UP, 1u << SL_KNN, false, 2.5},
    {"Speed-up of sfilter", "VI-2", SPEED_UP, 1u << SL_SFILTER, false, 5},
    {"Speed-up of gcn_aggr, loops only", "VI-2", SL_CFM_SPEEDUP, SL_CFM_PREDICATED, SL_CFM_LOOPS, GCN, false, 1.7},
    {"Fewer of gcn_aggr, loops only", "VI-2", SL_CFM_REDUCTION, SL_CFM_PREDICATED, SL_CFM_LOOPS, GCN,
     false, 1.7},
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

const struct sl_cfm_row sl_cfm_rows[SL_CFM_ROWS] = {
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

static double counter(const struct sl_cfm_runs *runs, size_t config, const struct sl_cfm_point *point, const char *name)
{
  size_t i;
  return sl_counter_find(runs->machines[config].machine, name, &i) ? (double)point->counters[i] : 0;
}

/* Least-squares fit of y over x: slope, and y at 0. With one point, the line through 0. */
static double fit(const double *x, const double *y, size_t count, double *at_0)
{
  double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
  for (size_t i = 0; i < count; i++) {
    mean_x += x[i] / (double)count;
    mean_y += y[i] / (double)count;
  }
  for (size_t i = 0; i < count; i++) {
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    xx += (x[i] - mean_x) * (x[i] - mean_x);
  }
  const double slope = xx > 0 ? xy / xx : mean_x > 0 ? mean_y / mean_x : 0;
  *at_0 = mean_y - slope * mean_x;
  return slope;
}

struct sl_cfm_line sl_cfm_fit(const struct sl_cfm_runs *runs, size_t config, size_t kernel)
{
  const size_t count = sl_cfm_point_count(runs, kernel);
  double flops[SL_CFM_POINTS], cycles[SL_CFM_POINTS], instructions[SL_CFM_POINTS], ignored;
  struct sl_cfm_line line;
  for (size_t p = 0; p < count; p++) {
    const struct sl_cfm_point *point = sl_cfm_point(runs, config, kernel, p);
    flops[p] = (double)point->region.flops;
    cycles[p] = (double)point->region.cycles;
    instructions[p] = (double)point->region.thread_instrs;
  }
  line.cycles = fit(flops, cycles, count, &line.start);
  line.instructions = fit(flops, instructions, count, &ignored);
  return line;
}

double sl_cfm_counter_slope(const struct sl_cfm_runs *runs, size_t config, size_t kernel, const char *name)
{
  const size_t count = sl_cfm_point_count(runs, kernel);
  double flops[SL_CFM_POINTS], values[SL_CFM_POINTS], ignored;
  for (size_t p = 0; p < count; p++) {
    const struct sl_cfm_point *point = sl_cfm_point(runs, config, kernel, p);
    flops[p] = (double)point->region.flops;
    values[p] = counter(runs, config, point, name);
  }
  return fit(flops, values, count, &ignored);
}

static double cycles_of(const struct sl_cfm_runs *runs, size_t config, const struct sl_cfm_point *point, bool whole)
{
  return whole ? counter(runs, config, point, "cycles") : (double)point->region.cycles;
}

static double instructions_of(const struct sl_cfm_runs *runs, size_t config, const struct sl_cfm_point *point,
                              bool whole)
{
  return whole ? counter(runs, config, point, "thread_instrs") : (double)point->region.thread_instrs;
}

static double quotient(double a, double b)
{
  return b > 0 ? a / b : 0;
}

/* One point of a sweep. */
static double value_at(const struct sl_cfm_runs *runs, enum sl_cfm_kind kind, size_t base, size_t config, size_t kernel,
                       size_t at, bool whole)
{
  const struct sl_cfm_point *point = sl_cfm_point(runs, config, kernel, at);
  const struct sl_cfm_point *plain = sl_cfm_point(runs, base, kernel, at);
  const double rate = quotient((double)point->region.flops, cycles_of(runs, config, point, whole));
  switch (kind) {
  case SL_CFM_SPEEDUP: return quotient(cycles_of(runs, base, plain, whole), cycles_of(runs, config, point, whole));
  case SL_CFM_REDUCTION:
    return quotient(instructions_of(runs, base, plain, whole), instructions_of(runs, config, point, whole));
  case SL_CFM_SHARE: return 100 * rate / sl_cfm_peak(runs, config);
  default: return clock_ghz * rate;
  }
}

static double value_of_slope(const struct sl_cfm_runs *runs, enum sl_cfm_kind kind, size_t base, size_t config,
                             size_t kernel)
{
  const struct sl_cfm_line line = sl_cfm_fit(runs, config, kernel), plain = sl_cfm_fit(runs, base, kernel);
  switch (kind) {
  case SL_CFM_SPEEDUP: return quotient(plain.cycles, line.cycles);
  case SL_CFM_REDUCTION: return quotient(plain.instructions, line.instructions);
  case SL_CFM_SHARE: return quotient(100, line.cycles * sl_cfm_peak(runs, config));
  default: return quotient(clock_ghz, line.cycles);
  }
}

double sl_cfm_value(const struct sl_cfm_runs *runs, enum sl_cfm_kind kind, size_t base, size_t config, size_t kernel,
                    enum sl_cfm_way way)
{
  const size_t count = sl_cfm_point_count(runs, kernel);
  double sum = 0;
  if (way == SL_CFM_SLOPE)
    return value_of_slope(runs, kind, base, config, kernel);
  for (size_t p = 0; p < count; p++)
    sum += value_at(runs, kind, base, config, kernel, p, way == SL_CFM_WHOLE);
  return sum / (double)count;
}

double sl_cfm_mean(const struct sl_cfm_runs *runs, enum sl_cfm_kind kind, size_t base, size_t config, unsigned kernels,
                   enum sl_cfm_way way)
{
  double sum = 0, count = 0;
  for (size_t k = 0; k < SL_CFM_KERNELS; k++)
    if ((kernels >> k & 1) && sl_cfm_has(runs, config, k)) {
      sum += sl_cfm_value(runs, kind, base, config, k, way);
      count++;
    }
  return quotient(sum, count);
}

bool sl_cfm_is_measured(const struct sl_cfm_runs *runs, const struct sl_cfm_measure *m)
{
  return (m->kernels & runs->kernels) != 0;
}

double sl_cfm_measured(const struct sl_cfm_runs *runs, const struct sl_cfm_measure *m, enum sl_cfm_way way)
{
  double most = 0;
  if (m->kind == SL_CFM_GAIN)
    return quotient(sl_cfm_mean(runs, SL_CFM_RATE, m->config, m->config, m->kernels, way),
                    sl_cfm_mean(runs, SL_CFM_RATE, m->base, m->base, m->kernels, way));
  if (!m->largest)
    return sl_cfm_mean(runs, m->kind, m->base, m->config, m->kernels, way);
  for (size_t k = 0; k < SL_CFM_KERNELS; k++)
    if ((m->kernels >> k & 1) && sl_cfm_has(runs, m->config, k))
      most = fmax(most, sl_cfm_value(runs, m->kind, m->base, m->config, k, way));
  return most;
}

/* ---- charts ------------------------------------------------------------------------------------------------------ */

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

/* The published value of a bar of Figure 7, by set of kernels and configuration. */
static struct sl_chart_published published(enum sl_cfm_kind kind, size_t config, unsigned kernels)
{
  for (const struct sl_cfm_measure *m = sl_cfm_measures; m < sl_cfm_measures + SL_CFM_MEASURES; m++)
    if (m->kind == kind && m->config == config && m->kernels == kernels && !m->largest && m->paper > 0 &&
        (m->base == SL_CFM_PREDICATED || m->base == config))
      return (struct sl_chart_published){m->paper, true};
  return (struct sl_chart_published){0};
}

static void compute_figure_7(const struct sl_cfm_runs *runs, struct sl_chart *chart, enum sl_cfm_kind kind,
                             enum sl_cfm_way way)
{
  static const char *const ids[SL_CFM_WAYS][3] = {
      {"figure7-speedup-sweep", "figure7-instructions-sweep", "figure7-peak-sweep"},
      {"figure7-speedup-slope", "figure7-instructions-slope", "figure7-peak-slope"},
      {"figure7-speedup-whole", "figure7-instructions-whole", "figure7-peak-whole"}};
  static const char *const titles[] = {"Speed-up", "Fewer instructions", "Share of peak"};
  static const char *const units[] = {"times as fast", "times fewer", "% of peak"};
  *chart = (struct sl_chart){
      .id = ids[way][kind], .title = titles[kind], .unit = units[kind], .group_title = "benchmark", .mean_last = true};
  for (size_t b = kind == SL_CFM_SHARE ? 0 : 1; b < BARS; b++) {
    struct sl_chart_series *series = &chart->series[chart->series_count++];
    series->name = bars[b].name;
    series->colour = 1 + (unsigned)b;
    chart->group_count = 0;
    for (size_t k = 0; k < SL_CFM_KERNELS + 2; k++) {
      const unsigned kernels = k < SL_CFM_KERNELS ? 1u << k : k == SL_CFM_KERNELS ? SL_CFM_SEVEN : SL_CFM_SIX;
      if (k < SL_CFM_KERNELS && !sl_cfm_has(runs, bars[b].config, k))
        continue;
      chart->groups[chart->group_count] = k < SL_CFM_KERNELS    ? sl_cfm_sweeps[k].kernel
                                          : k == SL_CFM_KERNELS ? "mean of 7"
                                                                : "mean of 6";
      series->published[chart->group_count] = published(kind, bars[b].config, kernels);
      series->value[chart->group_count++] = sl_cfm_mean(runs, kind, SL_CFM_PREDICATED, bars[b].config, kernels, way);
    }
  }
}

/* A group of Figure 8. */
struct scale {
  const char *name;
  size_t base, config;
};

static void compute_figure_8(const struct sl_cfm_runs *runs, struct sl_chart *chart, const struct scale *scales,
                             size_t count)
{
  chart->unit = "times as fast";
  for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++) {
    struct sl_chart_series *series = &chart->series[chart->series_count++];
    series->name = sl_cfm_ways[way];
    for (size_t s = 0; s < count; s++) {
      chart->groups[s] = scales[s].name;
      series->value[s] = sl_cfm_mean(runs, SL_CFM_SPEEDUP, scales[s].base, scales[s].config, SL_CFM_SIX, way);
      for (const struct sl_cfm_measure *m = sl_cfm_measures; m < sl_cfm_measures + SL_CFM_MEASURES; m++)
        if (m->kind == SL_CFM_SPEEDUP && m->kernels == SL_CFM_SIX && m->base == scales[s].base &&
            m->config == scales[s].config)
          series->published[s] = (struct sl_chart_published){m->paper, true};
    }
  }
  chart->group_count = count;
}

void sl_cfm_charts(const struct sl_cfm_runs *runs, struct sl_chart charts[SL_CFM_CHARTS])
{
  static const struct scale shapes[] = {
      {"w4t16", SL_CFM_SHAPES, SL_CFM_SHAPES + 1},      {"w8t16", SL_CFM_PREDICATED, SL_CFM_PORTS_3},
      {"w16t16", SL_CFM_SHAPES + 2, SL_CFM_SHAPES + 3}, {"w4t32", SL_CFM_SHAPES + 4, SL_CFM_SHAPES + 5},
      {"w8t32", SL_CFM_SHAPES + 6, SL_CFM_SHAPES + 7},  {"w16t32", SL_CFM_SHAPES + 8, SL_CFM_SHAPES + 9}};
  static const struct scale cores[] = {{"1 core", SL_CFM_PREDICATED, SL_CFM_PORTS_3},
                                       {"2 cores", SL_CFM_CORES, SL_CFM_CORES + 1},
                                       {"4 cores", SL_CFM_CORES + 2, SL_CFM_CORES + 3},
                                       {"8 cores", CORES_8, CORES_8 + 1},
                                       {"2 clusters", SL_CFM_CLUSTERS, SL_CFM_CLUSTERS + 1},
                                       {"4 clusters", SL_CFM_CLUSTERS + 2, SL_CFM_CLUSTERS + 3},
                                       {"8 clusters", CLUSTERS_8, CLUSTERS_8 + 1}};
  for (enum sl_cfm_way way = 0; way < SL_CFM_WAYS; way++)
    for (enum sl_cfm_kind kind = SL_CFM_SPEEDUP; kind <= SL_CFM_SHARE; kind++)
      compute_figure_7(runs, &charts[3 * way + kind], kind, way);
  struct sl_chart *left = &charts[SL_CFM_FIGURE_7], *right = left + 1;
  *left = (struct sl_chart){
      .id = "figure8-shapes", .title = "Average speed-up by warps and threads", .group_title = "warps and threads"};
  *right =
      (struct sl_chart){.id = "figure8-cores", .title = "Average speed-up by cores", .group_title = "number of cores"};
  compute_figure_8(runs, left, shapes, sizeof shapes / sizeof shapes[0]);
  compute_figure_8(runs, right, cores, sizeof cores / sizeof cores[0]);
}
