/* What the runs of the evaluation come to: speed-ups, instruction reductions, shares of peak and rates, in three ways.
 */
#ifndef SL_CLI_PAPER_CFM_FIGURES_H
#define SL_CLI_PAPER_CFM_FIGURES_H

#include "cli/paper/cfm_dmsl/paper_cfm.h"
#include "observe/chart.h"

/* Of the kernel region, the mean over the points of the sweep, or the slope: cycles (instructions) by FLOPs as a
 * straight line fits the points, without what every launch takes however small. Or of the whole program, the mean. */
enum sl_cfm_way { SL_CFM_SWEEP, SL_CFM_SLOPE, SL_CFM_WHOLE, SL_CFM_WAYS };

enum sl_cfm_kind {
  SL_CFM_SPEEDUP,   /* cycles of the base by those of the configuration */
  SL_CFM_REDUCTION, /* the same of thread instructions */
  SL_CFM_SHARE,     /* FLOPs by cycles and peak, in percent */
  SL_CFM_RATE,      /* GFLOP/s at 800 MHz */
  SL_CFM_GAIN,      /* of averages only: that of the configuration's rates by that of the base's */
};

extern const char *const sl_cfm_ways[SL_CFM_WAYS];

double sl_cfm_value(const struct sl_cfm_runs *runs, enum sl_cfm_kind kind, size_t base, size_t config, size_t kernel,
                    enum sl_cfm_way way);

/* The arithmetic mean over the kernels of a set, as far as they are run; 0 of none. */
double sl_cfm_mean(const struct sl_cfm_runs *runs, enum sl_cfm_kind kind, size_t base, size_t config, unsigned kernels,
                   enum sl_cfm_way way);

/* Of the kernel region: what each FLOP adds to cycles and thread instructions, and the cycles of a launch without any.
 */
struct sl_cfm_line {
  double cycles, instructions, start;
};
struct sl_cfm_line sl_cfm_fit(const struct sl_cfm_runs *runs, size_t config, size_t kernel);

/* The same of a counter, of which only the streams of the kernel region have any. */
double sl_cfm_counter_slope(const struct sl_cfm_runs *runs, size_t config, size_t kernel, const char *counter);

/* A published number, 0 if there is none, and what ours is computed from: the mean over the kernels, or the largest. */
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

/* False when none of its kernels is run. */
bool sl_cfm_is_measured(const struct sl_cfm_runs *runs, const struct sl_cfm_measure *measure);

double sl_cfm_measured(const struct sl_cfm_runs *runs, const struct sl_cfm_measure *measure, enum sl_cfm_way way);

/* True when no way is near what was published: within three tenths of it. */
bool sl_cfm_far(const struct sl_cfm_runs *runs, const struct sl_cfm_measure *measure);

/* Why, as counted. */
void sl_cfm_remark(FILE *file, const struct sl_cfm_runs *runs, const struct sl_cfm_measure *measure);

/* A row of Table III: the area in mm2, GFLOP/s and GFLOP/s per mm2 as published; 0: not a row of the paper's. */
struct sl_cfm_row {
  const char *name;
  enum sl_cfm_config_id config;
  unsigned cores;
  double area, rate, efficiency;
};

enum { SL_CFM_ROWS = 15 };

extern const struct sl_cfm_row sl_cfm_rows[SL_CFM_ROWS];

enum { SL_CFM_FIGURE_7 = 3 * SL_CFM_WAYS, SL_CFM_FIGURE_8 = 2, SL_CFM_CHARTS = SL_CFM_FIGURE_7 + SL_CFM_FIGURE_8 };

/* Figure 7: chart 3 * way + kind; then threads and warps, and cores, of Figure 8. */
void sl_cfm_charts(const struct sl_cfm_runs *runs, struct sl_chart charts[SL_CFM_CHARTS]);

/* The page. */
struct sl_cfm_page {
  const struct sl_cfm_runs *runs;
  const struct sl_chart *charts;
};
void sl_cfm_put_page(FILE *file, const void *page);

#endif
