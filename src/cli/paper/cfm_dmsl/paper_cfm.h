/* The evaluation of G. M. Sarda et al., "Decoupled Control Flow and Data Access in RISC-V GPGPUs" (arXiv 2512.00032),
 * section VI: its kernels over its sweeps on Vortex machines with and without the extensions.
 *
 * A program prints what its kernel region took; the launch's counters are of the whole program, which also fills its
 * arrays and checks its results. */
#ifndef SL_CLI_PAPER_CFM_H
#define SL_CLI_PAPER_CFM_H

#include "cli/bench/bench.h"
#include "cli/paper/paper.h"

/* Those of the paper, and sgemv with its matrix by rows. */
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

/* Sets of kernels: the paper's seven, and its six that stream. */
#define SL_CFM_SEVEN ((1u << (SL_GCN_AGGR + 1)) - 1)
#define SL_CFM_SIX (SL_CFM_SEVEN & ~(1u << SL_GCN_AGGR))

enum {
  SL_CFM_POINTS = 12, /* of a sweep, at most */
  SL_CFM_SETTINGS = 6,
};

/* The points of a kernel's sweep (Table II), as the program's argument. */
struct sl_cfm_sweep {
  const char *kernel;
  const char *points[SL_CFM_POINTS + 1]; /* up to NULL */
  size_t small;                          /* how many of them in --size small */
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
  SL_CFM_SLOTS = SL_CFM_RTL + 2 * 3,      /* predicated, loops: more outstanding loads, then no misses too */
  SL_CFM_SUMS_2 = SL_CFM_SLOTS + 2 * 3,   /* extended, two chains of sums */
  SL_CFM_LINES_3,                         /* extended, three lines per unit */
  SL_CFM_DIRECT,                          /* predicated, clusters without second-level caches: 2, 4 and 8 */
  SL_CFM_CONFIGS = SL_CFM_DIRECT + 3
};

/* A machine and the form of the programs it runs. */
struct sl_cfm_config {
  const char *name; /* also of its folder */
  const char *about;
  const char *preset, *form;
  const char *set[SL_CFM_SETTINGS]; /* KEY=VALUE, up to NULL */
  unsigned kernels;                 /* a bit for each it runs */
  enum sl_cfm_config_id base;       /* what its speed is compared with */
};

extern const struct sl_cfm_config sl_cfm_configs[SL_CFM_CONFIGS];

/* A program run at one size. */
struct sl_cfm_point {
  enum sl_status code;
  struct sl_error error;
  struct {
    uint64_t cycles, thread_instrs, flops;
  } region;
  uint64_t counters[SL_MAX_COUNTERS];
  char output[SL_BENCH_OUTPUT]; /* the last of what it printed */
  size_t output_length;
};

/* All runs. */
struct sl_cfm_runs {
  const struct sl_paper *paper;
  const struct sl_paper_order *order;
  unsigned kernels; /* those chosen */
  struct sl_config machines[SL_CFM_CONFIGS];
  struct sl_cfm_point *points; /* see sl_cfm_point */
  size_t count, reused;
};

/* Does what is not kept in the folder from earlier. A run that fails is only in its point. The caller frees what is in
 * `runs`, in any case. */
enum sl_status sl_cfm_run(struct sl_cfm_runs *runs, struct sl_error *err);
void sl_cfm_free(struct sl_cfm_runs *runs);

/* How many points of a sweep are run. */
size_t sl_cfm_point_count(const struct sl_cfm_runs *runs, size_t kernel);
bool sl_cfm_has(const struct sl_cfm_runs *runs, size_t config, size_t kernel);
struct sl_cfm_point *sl_cfm_point(const struct sl_cfm_runs *runs, size_t config, size_t kernel, size_t point);

/* Hardware threads of a configuration's lanes: what it could do at most, in FLOPs per cycle. */
double sl_cfm_peak(const struct sl_cfm_runs *runs, size_t config);

/* Tells on standard error which runs failed; the worst code of them. */
enum sl_status sl_cfm_print_failures(const struct sl_cfm_runs *runs);

#endif
