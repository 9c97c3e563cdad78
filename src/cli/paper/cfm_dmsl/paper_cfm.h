/* Reproduces section VI of G. M. Sarda et al., "Decoupled Control Flow and Data Access in RISC-V GPGPUs" (arXiv
 * 2512.00032). It sweeps the paper's kernels on Vortex machines with and without the extensions. Each program prints
 * the counts of its kernel region. The counters of a launch cover the whole program, which also fills its arrays and
 * checks its results. */
#ifndef SL_CLI_PAPER_CFM_H
#define SL_CLI_PAPER_CFM_H

#include "cli/bench/bench.h"
#include "cli/paper/paper.h"

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

enum {
  SL_CFM_POINTS = 12, /* most points of a sweep */
  SL_CFM_SETTINGS = 6,
};

/* Points of a kernel's sweep (Table II), as the program's argument. */
struct sl_cfm_sweep {
  const char *kernel;
  const char *points[SL_CFM_POINTS + 1]; /* ends with NULL */
  size_t small;                          /* number of points with --size small */
};

extern const struct sl_cfm_sweep sl_cfm_sweeps[SL_CFM_KERNELS];

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

/* A machine and the program variant that it runs. */
struct sl_cfm_config {
  const char *name; /* also the name of its folder */
  const char *about;
  const char *preset, *form;
  const char *set[SL_CFM_SETTINGS]; /* KEY=VALUE settings, ending with NULL */
  unsigned kernels;                 /* set of kernels that it runs */
  enum sl_cfm_config_id base;       /* reference configuration of its speedup */
};

extern const struct sl_cfm_config sl_cfm_configs[SL_CFM_CONFIGS];

/* A run of a program at one size. */
struct sl_cfm_point {
  enum sl_status code;
  struct sl_error error;
  struct {
    uint64_t cycles, thread_instrs, flops;
  } region;
  uint64_t counters[SL_MAX_COUNTERS];
  char output[SL_BENCH_OUTPUT]; /* end of the program's console output */
  size_t output_length;
};

/* All runs. */
struct sl_cfm_runs {
  const struct sl_paper *paper;
  const struct sl_paper_order *order;
  unsigned kernels; /* set of chosen kernels */
  struct sl_config machines[SL_CFM_CONFIGS];
  struct sl_cfm_point *points; /* see sl_cfm_point */
  size_t count, reused;
};

/* Simulates the runs that the folder does not have. A failed run is recorded only in its point. The caller always frees
 * `runs`. */
enum sl_status sl_cfm_run(struct sl_cfm_runs *runs, struct sl_error *err);
void sl_cfm_free(struct sl_cfm_runs *runs);

/* Number of points of a sweep that are run. */
size_t sl_cfm_point_count(const struct sl_cfm_runs *runs, size_t kernel);
bool sl_cfm_has(const struct sl_cfm_runs *runs, size_t config, size_t kernel);
struct sl_cfm_point *sl_cfm_point(const struct sl_cfm_runs *runs, size_t config, size_t kernel, size_t point);

/* Peak FLOPs per cycle of a configuration: the number of its lanes. */
double sl_cfm_peak(const struct sl_cfm_runs *runs, size_t config);

/* Prints the errors of failed runs to standard error; returns the worst code. */
enum sl_status sl_cfm_print_failures(const struct sl_cfm_runs *runs);

#endif
