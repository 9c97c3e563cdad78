/* Figures of the SIMTight paper's evaluation (M. Naylor et al., "Advanced Dynamic Scalarisation for RISC-V GPGPUs",
 * section IV), computed from the runs. */
#ifndef SL_CLI_PAPER_SIMTIGHT_FIGURES_H
#define SL_CLI_PAPER_SIMTIGHT_FIGURES_H

#include "cli/paper/paper.h"
#include "observe/chart.h"
#include "observe/figures.h"

enum sl_simtight_config {
  SL_BASELINE,
  SL_RV32E,
  SL_RFC_1024,
  SL_RFC_512,
  SL_RFC_256,
  SL_RFC_ALL,
  SL_RFC_PP,
  SL_RFC_PP_SB,
  SL_SIMTIGHT_CONFIGS
};

enum sl_simtight_chart {
  SL_FIGURE_6,
  SL_FIGURE_7,
  SL_FIGURE_8_CYCLES,
  SL_FIGURE_8_DRAM,
  SL_STACK_CACHE,
  SL_FIGURE_9,
  SL_SIMTIGHT_CHARTS
};

enum { SL_FIGURE_8_RV32E = 3, SL_FIGURE_9_TIME = 2 }; /* series of the charts */

/* How a series shows a ratio r: r, 100 r, 100 (r - 1), or 100 (1 - r). */
enum sl_ratio_kind { SL_RATIO, SL_SHARE, SL_OVERHEAD, SL_SAVED };

double sl_ratio_shown(enum sl_ratio_kind kind, double ratio);
double sl_ratio_of(enum sl_ratio_kind kind, double shown);

struct sl_simtight_figures {
  const struct sl_paper_runs *runs;
  struct sl_chart charts[SL_SIMTIGHT_CHARTS]; /* the last group is the geometric mean */
  enum sl_ratio_kind kinds[SL_SIMTIGHT_CHARTS][SL_CHART_SERIES];
};

void sl_simtight_compute(struct sl_simtight_figures *figures, const struct sl_paper_runs *runs);

/* Geometric mean of a series without a set of benchmarks, in the unit of its kind. */
double sl_simtight_mean(const struct sl_simtight_figures *figures, unsigned chart, unsigned series, unsigned without);

/* Time saved in percent, from cycles and the clock frequencies of the two machines. */
double sl_simtight_time_saved(double cycles_saved);

/* Register file of a configuration. */
struct sl_register_storage sl_simtight_register_file(const struct sl_paper_runs *runs, size_t config);

/* A number of the paper's evaluation, and the published value. */
struct sl_simtight_measure {
  const char *what;
  const char *where; /* as published */
  unsigned chart, series;
  double paper;
};

enum { SL_SIMTIGHT_MEASURES = 13 };

extern const struct sl_simtight_measure sl_simtight_measures[SL_SIMTIGHT_MEASURES];

double sl_simtight_measured(const struct sl_simtight_figures *figures, const struct sl_simtight_measure *measure);

/* Formats "12.3 %", or "+12.3 %" if the sign means more or less; a rounded zero has no sign. Returns `text`. */
const char *sl_simtight_percent(double value, bool sign, char text[32]);

#endif
