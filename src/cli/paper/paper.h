/* Reproduction of a paper's evaluation: simulates its runs and reports the results beside the published ones. Finished
 * runs are kept, so an interrupted reproduction resumes. */
#ifndef SL_CLI_PAPER_H
#define SL_CLI_PAPER_H

#include "cli/bench/bench.h"

/* A configuration: a machine, and the number of registers that programs are compiled for. */
struct sl_paper_config {
  const char *name; /* also the name of its folder */
  const char *about;
  const char *preset;
  const char *set[2]; /* KEY=VALUE, or NULL */
  bool rv32e;
};

struct sl_paper;
struct sl_paper_runs;

/* Options of the command. */
struct sl_paper_order {
  const char *size;                   /* "small" or "paper" */
  const char *only;                   /* list of benchmarks; NULL: all */
  const char *folder;                 /* folder of the report */
  const char *sample;                 /* plan of --sample; NULL: full timing */
  struct sl_sampling_choice sampling; /* the parsed plan */
  uint64_t jobs;                      /* simulations in parallel */
  bool quiet;
};

struct sl_paper {
  const char *name;
  const char *title; /* authors and title */
  enum sl_status (*reproduce)(const struct sl_paper *paper, const struct sl_paper_order *order, struct sl_error *err);
  /* For papers that sl_paper_benchmarks reproduces. */
  const struct sl_paper_config *configs;
  size_t config_count;
  /* Writes the report into the folder of the runs. */
  enum sl_status (*report)(const struct sl_paper_runs *runs, struct sl_error *err);
};

extern const struct sl_paper sl_paper_simtight, sl_paper_cfm_dmsl, sl_paper_isa64, sl_paper_r2d2;

/* All papers; ends with NULL. */
extern const struct sl_paper *const sl_papers[];

/* The runs of all benchmarks on all configurations. */
struct sl_paper_runs {
  const struct sl_paper *paper;
  const char *folder;
  const char *size; /* "small" or "paper" */
  const char *sample;
  struct sl_sampling_choice sampling;
  const struct sl_benchmark *benchmarks[SL_BENCHMARKS_MOST];
  size_t benchmark_count;
  struct sl_bench_machines *machines; /* one per configuration */
  struct sl_bench_row *rows;          /* for each configuration, a row per benchmark */
  size_t reused;                      /* number of rows read from the folder */
};

/* Runs the benchmark suite on each configuration and writes the paper's report. */
enum sl_status sl_paper_benchmarks(const struct sl_paper *paper, const struct sl_paper_order *order,
                                   struct sl_error *err);

/* Simulates the runs that the folder does not have. A failed run is recorded only in its row. SL_USAGE: the folder
 * cannot be written. The caller always frees `runs`. */
enum sl_status sl_paper_run(struct sl_paper_runs *runs, uint64_t threads, bool quiet, struct sl_error *err);
void sl_paper_free(struct sl_paper_runs *runs);

/* A counter of a run; 0 if the machine does not have it. */
uint64_t sl_paper_counter(const struct sl_paper_runs *runs, size_t config, size_t benchmark, const char *name);

/* Creates a folder and its parents. */
enum sl_status sl_paper_make_folders(const char *path, struct sl_error *err);

/* Writes a file of the report; `write` provides its contents. */
enum sl_status sl_paper_save(const char *folder, const char *name, void (*write)(FILE *file, const void *context),
                             const void *context, struct sl_error *err);

#endif
