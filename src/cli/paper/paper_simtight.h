/* The SIMTight paper's evaluation: figures computed from the runs, each with a bar per benchmark and their mean. */
#ifndef SL_CLI_PAPER_SIMTIGHT_H
#define SL_CLI_PAPER_SIMTIGHT_H

#include "cli/paper/paper_report.h"
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
enum sl_ratio_kind sl_simtight_kind(unsigned chart, unsigned series);

struct sl_simtight_state {
  const struct sl_benchmark *benchmarks[SL_BENCHMARKS_MOST];
  size_t count;
};

const struct sl_paper_run *sl_simtight_run(const struct sl_paper_runs *runs, size_t config, size_t benchmark);

void sl_simtight_draw(const struct sl_paper_runs *runs, struct sl_paper_charts *charts);

/* A bar; the geometric mean of a series without a set of benchmarks, in the unit of its kind. */
double sl_simtight_value(const struct sl_paper_runs *runs, unsigned chart, unsigned series, size_t benchmark);
double sl_simtight_mean(const struct sl_paper_runs *runs, unsigned chart, unsigned series, unsigned without);

/* Time saved in percent, from cycles and the clock frequencies of the two machines. */
double sl_simtight_time_saved(double cycles_saved);

/* Register file of a configuration, and its number of registers of all threads, in vectors. */
struct sl_register_storage sl_simtight_register_file(const struct sl_paper_runs *runs, size_t config);
double sl_simtight_registers(const struct sl_paper_runs *runs, size_t config);

/* A number of the paper's evaluation, and the published value. */
struct sl_simtight_measure {
  const char *what;
  const char *where; /* as published */
  unsigned chart, series;
  double paper;
};

enum { SL_SIMTIGHT_MEASURES = 13 };

extern const struct sl_simtight_measure sl_simtight_measures[SL_SIMTIGHT_MEASURES];

double sl_simtight_measured(const struct sl_paper_runs *runs, const struct sl_simtight_measure *measure);

/* Sampled timing, in percent: half of the 95 % confidence interval, not finite if it is not known; the timed part. */
double sl_simtight_bar(const struct sl_paper_run *run);
double sl_simtight_timed(const struct sl_paper_run *run);

#endif
