/* Figures of the evaluation: speedups, instruction reductions, shares of peak and rates, each computed in three ways.
 */
#ifndef SL_CLI_PAPER_CFM_FIGURES_H
#define SL_CLI_PAPER_CFM_FIGURES_H

#include "cli/paper/cfm_dmsl/paper_cfm.h"
#include "observe/chart.h"

/* The three ways: the kernel region's mean over the sweep; its slope; the whole program's mean. The slope fits a
 * straight line to cycles (instructions) over FLOPs, which excludes the fixed cost of a launch. */
enum sl_cfm_way { SL_CFM_SWEEP, SL_CFM_SLOPE, SL_CFM_WHOLE, SL_CFM_WAYS };

enum sl_cfm_kind {
  SL_CFM_SPEEDUP,   /* cycles of the base divided by those of the configuration */
  SL_CFM_REDUCTION, /* thread instructions of the base divided by those of the configuration */
  SL_CFM_SHARE,     /* FLOPs divided by cycles and peak, in percent */
  SL_CFM_RATE,      /* GFLOP/s at 800 MHz */
  SL_CFM_GAIN,      /* averages only: the configuration's mean rate divided by the base's */
};

extern const char *const sl_cfm_ways[SL_CFM_WAYS];

double sl_cfm_value(const struct sl_cfm_runs *runs, enum sl_cfm_kind kind, size_t base, size_t config, size_t kernel,
                    enum sl_cfm_way way);

/* Arithmetic mean over the kernels of a set that were run; 0 if there are none. */
double sl_cfm_mean(const struct sl_cfm_runs *runs, enum sl_cfm_kind kind, size_t base, size_t config, unsigned kernels,
                   enum sl_cfm_way way);

/* Kernel region: cycles and thread instructions per FLOP, and the fixed cycles of a launch. */
struct sl_cfm_line {
  double cycles, instructions, start;
};
struct sl_cfm_line sl_cfm_fit(const struct sl_cfm_runs *runs, size_t config, size_t kernel);

/* The same for a counter that only the kernel region's streams increment. */
double sl_cfm_counter_slope(const struct sl_cfm_runs *runs, size_t config, size_t kernel, const char *counter);

/* A published number (0: none), and what ours is computed from: the mean over the kernels, or the maximum. */
struct sl_cfm_measure {
  const char *what, *where;
  enum sl_cfm_kind kind;
  enum sl_cfm_config_id base, config;
  unsigned kernels;
  bool largest;
  double paper;
};

enum { SL_CFM_MEASURES = 19 };

extern const struct sl_cfm_measure sl_cfm_measures[SL_CFM_MEASURES];

/* False if none of its kernels was run. */
bool sl_cfm_is_measured(const struct sl_cfm_runs *runs, const struct sl_cfm_measure *measure);

double sl_cfm_measured(const struct sl_cfm_runs *runs, const struct sl_cfm_measure *measure, enum sl_cfm_way way);

/* True if no way is within three tenths of the published number. */
bool sl_cfm_far(const struct sl_cfm_runs *runs, const struct sl_cfm_measure *measure);

/* Explains the difference by counters. */
void sl_cfm_remark(FILE *file, const struct sl_cfm_runs *runs, const struct sl_cfm_measure *measure);

/* A row of Table III as published: area in mm2, GFLOP/s, and GFLOP/s per mm2; 0: not a row of the paper. */
struct sl_cfm_row {
  const char *name;
  enum sl_cfm_config_id config;
  unsigned cores;
  double area, rate, efficiency;
};

enum { SL_CFM_ROWS = 15 };

extern const struct sl_cfm_row sl_cfm_rows[SL_CFM_ROWS];

enum { SL_CFM_FIGURE_7 = 3 * SL_CFM_WAYS, SL_CFM_FIGURE_8 = 2, SL_CFM_CHARTS = SL_CFM_FIGURE_7 + SL_CFM_FIGURE_8 };

/* Figure 7: chart 3 * way + kind; then two charts of Figure 8: threads and warps, and cores. */
void sl_cfm_charts(const struct sl_cfm_runs *runs, struct sl_chart charts[SL_CFM_CHARTS]);

/* Writes the page. */
struct sl_cfm_page {
  const struct sl_cfm_runs *runs;
  const struct sl_chart *charts;
};
void sl_cfm_put_page(FILE *file, const void *page);

#endif
