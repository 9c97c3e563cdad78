/* Reproduction of a paper's evaluation: the runs it takes, kept so that an interrupted reproduction goes on where it
 * was, and a report of what they come to beside what was published. */
#ifndef SL_CLI_PAPER_H
#define SL_CLI_PAPER_H

#include "cli/bench/bench.h"

/* A machine the benchmarks run on, and for how many registers they are compiled. */
struct sl_paper_config {
  const char *name; /* also of its folder */
  const char *about;
  const char *preset;
  const char *set[2]; /* KEY=VALUE, NULL for none */
  bool rv32e;
};

struct sl_paper;
struct sl_paper_runs;

/* What the command is asked for. */
struct sl_paper_order {
  const char *size;                   /* "small" or "paper" */
  const char *only;                   /* a list of benchmarks, NULL for all */
  const char *folder;                 /* of the report */
  const char *sample;                 /* plan of --sample, NULL: everything is timed */
  struct sl_sampling_choice sampling; /* what it says */
  uint64_t jobs;                      /* side by side */
  bool quiet;
};

struct sl_paper {
  const char *name;
  const char *title; /* authors and title */
  enum sl_status (*reproduce)(const struct sl_paper *paper, const struct sl_paper_order *order, struct sl_error *err);
  /* Of a paper that is reproduced by sl_paper_benchmarks. */
  const struct sl_paper_config *configs;
  size_t config_count;
  /* Writes the report into the runs' folder. */
  enum sl_status (*report)(const struct sl_paper_runs *runs, struct sl_error *err);
};

extern const struct sl_paper sl_paper_simtight, sl_paper_cfm_dmsl, sl_paper_isa64, sl_paper_r2d2;

/* All of them, NULL at the end. */
extern const struct sl_paper *const sl_papers[];

/* Every benchmark on every configuration. */
struct sl_paper_runs {
  const struct sl_paper *paper;
  const char *folder;
  const char *size; /* "small" or "paper" */
  const char *sample;
  struct sl_sampling_choice sampling;
  const struct sl_benchmark *benchmarks[SL_BENCHMARKS_MOST];
  size_t benchmark_count;
  struct sl_bench_machines *machines; /* of each configuration */
  struct sl_bench_row *rows;          /* of each configuration, a row per benchmark */
  size_t reused;                      /* of the rows, how many were kept from earlier */
};

/* The benchmark suite on each configuration, and the paper's report of that. */
enum sl_status sl_paper_benchmarks(const struct sl_paper *paper, const struct sl_paper_order *order,
                                   struct sl_error *err);

/* Runs what is not kept in the folder from earlier. A run that fails is only in its row; SL_USAGE when the folder
 * cannot be written. The caller frees what is in `runs`, in any case. */
enum sl_status sl_paper_run(struct sl_paper_runs *runs, uint64_t threads, bool quiet, struct sl_error *err);
void sl_paper_free(struct sl_paper_runs *runs);

/* A counter of a run, 0 when the machine has none of that name. */
uint64_t sl_paper_counter(const struct sl_paper_runs *runs, size_t config, size_t benchmark, const char *name);

/* Makes a folder and those it is in. */
enum sl_status sl_paper_make_folders(const char *path, struct sl_error *err);

/* Writes a file of the report in its folder: `write` puts its contents. */
enum sl_status sl_paper_save(const char *folder, const char *name, void (*write)(FILE *file, const void *context),
                             const void *context, struct sl_error *err);

#endif
