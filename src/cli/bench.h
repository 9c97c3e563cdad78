/* The benchmark suite: which programs there are, what one run of one gives, and how the results are shown. */
#ifndef SL_CLI_BENCH_H
#define SL_CLI_BENCH_H

#include <jansson.h>
#include <stdio.h>

#include "config/config.h"
#include "observe/figures.h"

struct sl_benchmark {
  const char *name;
  bool needs_fpu;
};

enum { SL_BENCHMARKS = 16, SL_BENCH_OUTPUT = 2048 };

extern const struct sl_benchmark sl_benchmarks[SL_BENCHMARKS];

/* A benchmark to run and, after it, what came of it. */
struct sl_bench_row {
  const struct sl_benchmark *benchmark;
  const struct sl_config *config;
  enum sl_code code; /* SL_OK, SL_CHECK_FAILED, or why it did not end */
  struct sl_error error;
  struct sl_figures figures;
  size_t launches;
  double sm_seconds, total_seconds;
  uint64_t memory_hash;
  char output[SL_BENCH_OUTPUT]; /* the last of what it printed */
  size_t output_length;
};

/* The suite's options, as they concern results. */
struct sl_bench_run {
  const char *size; /* "small" or "paper" */
  bool fast;
  struct sl_bench_row *rows;
  size_t count;
};

/* The table, with the geometric mean of the speeds as its last row. False when it could not be written. */
bool sl_bench_print(const struct sl_bench_run *run, FILE *file);

/* {schema 1, simtlab, mode, size, machines {name {name, pipeline, keys}}, benchmarks [...], geometric_mean}. */
json_t *sl_bench_json(const struct sl_bench_run *run);

#endif
