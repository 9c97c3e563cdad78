/* The benchmark suites: which programs there are, how one is run on one machine, and how results are shown. */
#ifndef SL_CLI_BENCH_H
#define SL_CLI_BENCH_H

#include <jansson.h>
#include <stdio.h>

#include "cli/options.h"
#include "observe/kernel_sums.h"

/* What a machine may lack that a benchmark has to have: it then runs on the same machine with that added. */
enum {
  SL_WANTS_FPU = 1,
  SL_WANTS_ATOMICS = 2,
  SL_WANTS_LOCAL_MEMORY = 4, /* all that the machine has addresses for */
  SL_BENCH_WANTS = 8         /* sets of these */
};

struct sl_benchmark {
  const char *name;
  unsigned wants;      /* set of SL_WANTS */
  const char *size[2]; /* argument that stands for small and for paper; NULL: the word itself */
  const char *needs;   /* key that must not be 0 or false on the machine, NULL: none */
  bool variant;        /* of a benchmark of the kernel library; run when it is named or variants are asked for */
  const char *kernel;  /* the one that is measured; NULL: all that the program launches */
};

enum { SL_BENCHMARKS = 16, SL_LIBRARY = 2 * SL_BENCHMARKS, SL_BENCHMARKS_MOST = 72, SL_BENCH_OUTPUT = 2048 };

/* Benchmarks one after another. */
struct sl_bench_suite {
  const struct sl_benchmark *benchmark;
  size_t count;
};

/* Those of the kernel library, which run on every machine; those of bench-vortex come after them on Vortex machines and
 * on such as deal blocks. */
extern const struct sl_bench_suite sl_library_suite, sl_every_suite;
const struct sl_bench_suite *sl_bench_suite_of(const struct sl_config *config);

/* A benchmark to run and, after it, what came of it. */
struct sl_bench_row {
  const struct sl_benchmark *benchmark;
  const struct sl_config *config;
  enum sl_status code; /* SL_OK, SL_CHECK_FAILED, or why it did not end */
  struct sl_error error;
  struct sl_figures figures;
  uint64_t counters[SL_MAX_COUNTERS]; /* over the launches that are measured */
  struct sl_kernel_sums kernels;      /* over all */
  uint64_t samples;                   /* of the vector registers in use */
  size_t launches;                    /* that are measured */
  double sm_seconds, total_seconds;
  struct sl_sampled sampled;
  uint64_t memory_hash;
  char output[SL_BENCH_OUTPUT]; /* the last of what it printed */
  size_t output_length;
};

/* How a benchmark is run. */
struct sl_bench_options {
  const char *size; /* "small" or "paper" */
  bool fast;
  enum sl_tier tier;
  struct sl_sampling_choice sampling;
  bool rv32e;         /* the program compiled for 16 registers */
  bool whole_program; /* measure main too, where that runs on the GPU */
  uint64_t max_cycles;
  uint64_t threads; /* of the simulation of one program */
};

/* The suite, as it concerns results. */
struct sl_bench_run {
  struct sl_bench_options options;
  struct sl_bench_row *rows;
  size_t count;
};

/* A machine, and the same with what benchmarks want of it. */
struct sl_bench_machines {
  struct sl_config with[SL_BENCH_WANTS];
};

enum sl_status sl_bench_machines_open(struct sl_bench_machines *machines, const struct sl_machine_choice *choice,
                                      struct sl_error *err);
void sl_bench_machines_close(struct sl_bench_machines *machines);
const struct sl_config *sl_bench_machine(const struct sl_bench_machines *machines,
                                         const struct sl_benchmark *benchmark);

/* The benchmarks of a list "NAME,NAME", NULL for all, or all but the variants: into chosen, in the suite's order, each
 * once; their number into count. */
enum sl_status sl_bench_choose(const struct sl_bench_suite *suite, const char *list, bool variants,
                               const struct sl_benchmark *chosen[SL_BENCHMARKS_MOST], size_t *count,
                               struct sl_error *err);

/* Of benchmarks that were chosen, those the machine can run; without a list the others are left out, named they are an
 * error. */
enum sl_status sl_bench_keep_possible(const struct sl_config *config, bool named, const struct sl_benchmark **chosen,
                                      size_t *count, struct sl_error *err);

enum sl_status sl_bench_check_size(const char *size, struct sl_error *err);

/* The program of a benchmark for a machine, from the build. */
enum sl_status sl_bench_load(const struct sl_benchmark *benchmark, const struct sl_config *config, bool rv32e,
                             struct sl_program **program, struct sl_error *err);

/* Runs the program of row->benchmark on row->config and fills in the rest of the row. Meanwhile calls progress (which
 * may be NULL) as a device does. */
void sl_bench_run_program(struct sl_bench_row *row, const struct sl_program *program,
                          const struct sl_bench_options *options, bool (*progress)(void *context, uint64_t cycles),
                          void *context);

/* Tells on standard error what went wrong in rows; the worst code of them. */
enum sl_status sl_bench_print_failures(const struct sl_bench_row *rows, size_t count);

/* The table, with the geometric mean of the speeds as its last row. False when it could not be written. */
bool sl_bench_print(const struct sl_bench_run *run, FILE *file);

/* {schema 1, simtlab, mode, size, isa, machines {name {name, pipeline, keys}}, benchmarks [...], geometric_mean}. */
json_t *sl_bench_json(const struct sl_bench_run *run);

#endif
