/* Benchmark suites: lists the programs, runs one on one machine, and reports results. */
#ifndef SL_CLI_BENCH_BENCH_H
#define SL_CLI_BENCH_BENCH_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/jobs.h"
#include "cli/options.h"
#include "observe/report.h"

/* A feature that a benchmark requires. A machine without it runs the benchmark with the feature added. */
enum {
  SL_WANTS_FPU = 1,
  SL_WANTS_ATOMICS = 2,
  SL_WANTS_LOCAL_MEMORY = 4, /* the machine's whole address space */
  SL_BENCH_WANTS = 8         /* sets of these */
};

struct sl_benchmark {
  const char *name;
  unsigned wants;      /* set of SL_WANTS */
  const char *size[2]; /* argument for sizes small and paper; NULL: the size's name */
  const char *needs;   /* key that must not be 0 or false; NULL: none */
  bool variant;        /* variant of a library kernel; it runs only when named or with --variants */
  const char *kernel;  /* the measured kernel; NULL: every kernel that the program launches */
};

enum { SL_BENCHMARKS = 16, SL_LIBRARY = 2 * SL_BENCHMARKS, SL_BENCHMARKS_MOST = 72 };

/* A list of benchmarks. */
struct sl_bench_suite {
  const struct sl_benchmark *benchmark;
  size_t count;
};

/* Benchmarks of the kernel library; all machines run them. The bench-vortex benchmarks follow, for Vortex machines and
 * for machines that schedule blocks in hardware. */
extern const struct sl_bench_suite sl_library_suite, sl_every_suite;
const struct sl_bench_suite *sl_bench_suite_of(const struct sl_config *config);

/* A benchmark and, after its run, the results. */
struct sl_bench_row {
  const struct sl_benchmark *benchmark;
  const struct sl_config *config;
  enum sl_status code; /* SL_OK, SL_CHECK_FAILED, or why the run did not end */
  struct sl_error error;
  struct sl_figures figures;
  uint64_t counters[SL_MAX_COUNTERS]; /* sums over the measured launches */
  struct sl_kernel_sums kernels;      /* over all launches */
  uint64_t samples;                   /* samples of the vector registers in use */
  size_t launches;                    /* number of measured launches */
  double sm_seconds, total_seconds;
  struct sl_sampled sampled;
  uint64_t memory_hash;
  struct sl_console_tail output;
};

/* Options of a benchmark run. */
struct sl_bench_options {
  const char *size; /* "small" or "paper" */
  bool fast;
  enum sl_execution_mode mode;
  struct sl_sampling_choice sampling;
  bool rv32e;         /* programs compiled for 16 registers (RV32E) */
  bool whole_program; /* also measure main, if it runs on the GPU */
  bool hashes;        /* of the memory that programs leave: the JSON results have them */
  uint64_t max_cycles;
  uint64_t threads; /* threads that simulate one program */
};

/* The options that the results record. */
struct sl_bench_run {
  struct sl_bench_options options;
  struct sl_bench_row *rows;
  size_t count;
};

/* A machine, and its copies with the features that benchmarks require. */
struct sl_bench_machines {
  struct sl_config with[SL_BENCH_WANTS];
};

enum sl_status sl_bench_machines_open(struct sl_bench_machines *machines, const struct sl_machine_choice *choice,
                                      struct sl_error *err);
void sl_bench_machines_close(struct sl_bench_machines *machines);
const struct sl_config *sl_bench_machine(const struct sl_bench_machines *machines,
                                         const struct sl_benchmark *benchmark);

/* Parses "NAME,NAME" into `chosen`: suite order, without duplicates. NULL selects all, or all but the variants. Writes
 * the number of benchmarks to *count. */
enum sl_status sl_bench_choose(const struct sl_bench_suite *suite, const char *list, bool variants,
                               const struct sl_benchmark *chosen[SL_BENCHMARKS_MOST], size_t *count,
                               struct sl_error *err);

/* Drops the benchmarks that the machine cannot run. A benchmark named in a list is an error instead. */
enum sl_status sl_bench_keep_possible(const struct sl_config *config, bool named, const struct sl_benchmark **chosen,
                                      size_t *count, struct sl_error *err);

enum sl_status sl_bench_check_size(const char *size, struct sl_error *err);

/* Finds the program of a benchmark for a machine in the build. */
enum sl_status sl_bench_load(const struct sl_benchmark *benchmark, const struct sl_config *config, bool rv32e,
                             struct sl_program **program, struct sl_error *err);

/* Runs the program of row->benchmark on row->config and fills in the rest of the row. Calls `progress` (may be NULL) as
 * a device does. */
void sl_bench_run_program(struct sl_bench_row *row, const struct sl_program *program,
                          const struct sl_bench_options *options, bool (*progress)(void *context, uint64_t cycles),
                          void *context);

/* Prints the errors of rows to standard error; returns the worst code. */
enum sl_status sl_bench_print_failures(const struct sl_bench_row *rows, size_t count);

/* Prints the table; its last row is the geometric mean of the speeds. Returns false on a write error. */
bool sl_bench_print(const struct sl_bench_run *run, FILE *file);

/* {schema 1, simtlab, mode, size, isa, machines {name {name, pipeline, keys}}, benchmarks [...], geometric_mean}. */
json_t *sl_bench_json(const struct sl_bench_run *run);

/* ---- host time --------------------------------------------------------------------------------------------------- */

/* Where a run's host time goes: samples of the calling thread's program counter, 5000 per second of its user time, by
 * part of simtlab.
 *
 * The kernel takes the samples (Linux, perf_event_open with its CPU clock, which virtual machines have), so nothing in
 * the simulation knows of them. The part follows from the symbol table of the executable. Time in a function that the
 * compiler has inlined counts for its caller. There are no shares without permission, nor without a table that names
 * source files: in a stripped executable, and after link-time optimisation. */

enum sl_host_share {
  SL_SHARE_PIPELINE,
  SL_SHARE_MEMORY,
  SL_SHARE_VALUES,
  SL_SHARE_DIVERGENCE,
  SL_SHARE_HOST,
  SL_SHARE_OTHER, /* loading, checks of results, libraries */
  SL_SHARES
};

extern const char *const sl_host_share_names[SL_SHARES];

struct sl_host_symbol {
  uint64_t first, end;
  enum sl_host_share share;
};

/* The functions of this executable in order of their addresses. */
struct sl_host_symbols {
  struct sl_host_symbol *of;
  size_t count; /* 0: not known */
};

/* Reads them; there may be none. */
void sl_host_symbols_open(struct sl_host_symbols *symbols);
void sl_host_symbols_close(struct sl_host_symbols *symbols);

struct sl_host_samples {
  int file; /* -1: not available */
  void *ring;
  uint64_t count[SL_SHARES];
  bool lost; /* the ring was full */
};

/* Prepares sampling of the calling thread, which must also resume, pause and close. Returns false if it is not
 * available. */
bool sl_host_samples_open(struct sl_host_samples *samples);
void sl_host_samples_resume(struct sl_host_samples *samples);
/* Adds the samples to the counts. */
void sl_host_samples_pause(struct sl_host_samples *samples, const struct sl_host_symbols *symbols);
void sl_host_samples_close(struct sl_host_samples *samples);

#endif
