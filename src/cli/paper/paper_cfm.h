/* Reproduces section VI of G. M. Sarda et al., "Decoupled Control Flow and Data Access in RISC-V GPGPUs" (arXiv
 * 2512.00032). It sweeps the paper's kernels on Vortex machines with and without the extensions. Each program prints
 * the counts of its kernel region. The counters of a run cover the whole program, which also fills its arrays and
 * checks its results. */
#ifndef SL_CLI_PAPER_CFM_H
#define SL_CLI_PAPER_CFM_H

#include "cli/paper/paper_report.h"

/* The paper's kernels, and sgemv with a row-major matrix. */
enum sl_cfm_kernel {
  SL_SAXPY,
  SL_SGEMV,
  SL_SGEMM,
  SL_KNN,
  SL_SFILTER,
  SL_CONV2D,
  SL_GCN_AGGR,
  SL_SGEMV_ROWS,
  SL_CFM_KERNELS
};

/* Sets of kernels: the paper's seven, and the six of them that stream. */
#define SL_CFM_SEVEN ((1u << (SL_GCN_AGGR + 1)) - 1)
#define SL_CFM_SIX (SL_CFM_SEVEN & ~(1u << SL_GCN_AGGR))

enum { SL_CFM_POINTS = 12 /* most points of a sweep */ };

/* Points of a kernel's sweep (Table II), as the program's argument. */
struct sl_cfm_sweep {
  const char *kernel;
  const char *points[SL_CFM_POINTS + 1]; /* ends with NULL */
  size_t small;                          /* number of points with --size small */
};

extern const struct sl_cfm_sweep sl_cfm_sweeps[SL_CFM_KERNELS];

/* The machines of the study, in its order. */
enum sl_cfm_config_id {
  SL_CFM_PREDICATED, /* the baseline as the paper describes it */
  SL_CFM_PLAIN,      /* optimised by hand */
  SL_CFM_UNROLL_4,
  SL_CFM_UNROLL_8,
  SL_CFM_LOOPS,
  SL_CFM_PORTS_1,
  SL_CFM_PORTS_2,
  SL_CFM_PORTS_3,
  SL_CFM_SHAPES,                          /* predicated and extended, shape by shape */
  SL_CFM_CORES = SL_CFM_SHAPES + 2 * 5,   /* the same for 2, 4 and 8 cores */
  SL_CFM_CLUSTERS = SL_CFM_CORES + 2 * 3, /* the same, each core a cluster with a second-level cache */
  SL_CFM_RTL = SL_CFM_CLUSTERS + 2 * 3,   /* plain, loops, extended; with two FPU queues */
  SL_CFM_SLOTS = SL_CFM_RTL + 2 * 3,      /* predicated, loops: more outstanding loads, then also no misses */
  SL_CFM_SUMS_2 = SL_CFM_SLOTS + 2 * 3,   /* extended, two accumulator chains */
  SL_CFM_LINES_3,                         /* extended, three lines per unit */
  SL_CFM_DIRECT,                          /* predicated, clusters without second-level caches: 2, 4 and 8 */
  SL_CFM_CONFIGS = SL_CFM_DIRECT + 3
};

/* Number of points of a sweep that are run. */
size_t sl_cfm_points(const struct sl_paper_runs *runs, size_t kernel);
bool sl_cfm_has(const struct sl_paper_runs *runs, size_t config, size_t kernel);
const struct sl_paper_run *sl_cfm_run(const struct sl_paper_runs *runs, size_t config, size_t kernel, size_t point);

/* Peak FLOPs per cycle of a configuration: the number of its lanes. */
double sl_cfm_peak(const struct sl_paper_runs *runs, size_t config);

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Three ways to compute a value: the kernel region's mean over the sweep; its slope; the whole program's mean. The
 * slope fits a straight line to cycles (instructions) over FLOPs, which excludes the fixed cost of a launch. */
enum sl_cfm_way { SL_CFM_SWEEP, SL_CFM_SLOPE, SL_CFM_WHOLE, SL_CFM_WAYS };

enum sl_cfm_kind {
  SL_CFM_SPEEDUP,   /* cycles of the base divided by those of the configuration */
  SL_CFM_REDUCTION, /* thread instructions of the base divided by those of the configuration */
  SL_CFM_SHARE,     /* FLOPs divided by cycles and peak, in percent */
  SL_CFM_RATE,      /* GFLOP/s at 800 MHz */
  SL_CFM_GAIN,      /* averages only: the configuration's mean rate divided by the base's */
};

double sl_cfm_value(const struct sl_paper_runs *runs, enum sl_cfm_kind kind, size_t base, size_t config, size_t kernel,
                    enum sl_cfm_way way);

/* Arithmetic mean over the kernels of a set that were run; 0 if there are none. */
double sl_cfm_mean(const struct sl_paper_runs *runs, enum sl_cfm_kind kind, size_t base, size_t config,
                   unsigned kernels, enum sl_cfm_way way);

/* Per FLOP of the kernel region: cycles, thread instructions, and lines that the streams request. `start`, if not NULL,
 * becomes the amount of a launch without FLOPs. */
enum sl_cfm_quantity { SL_CFM_CYCLES, SL_CFM_INSTRUCTIONS, SL_CFM_LINES };
double sl_cfm_slope(const struct sl_paper_runs *runs, size_t config, size_t kernel, enum sl_cfm_quantity quantity,
                    double *start);

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

/* NAN if none of its kernels was run. */
double sl_cfm_measured(const struct sl_paper_runs *runs, const struct sl_cfm_measure *measure, enum sl_cfm_way way);

#endif
