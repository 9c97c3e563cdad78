/* Reproduction of a paper's evaluation: simulates its runs and reports the results beside the published ones. A paper
 * declares its configurations, programs, published numbers and the parts of its report; paper_runs.c runs them and
 * paper_report.c writes them. Finished runs are kept, so an interrupted reproduction resumes. */
#ifndef SL_CLI_PAPER_H
#define SL_CLI_PAPER_H

#include "cli/bench/bench.h"
#include "cli/jobs.h"
#include "cli/locations.h"
#include "observe/chart.h"
#include "observe/saved_run.h"

enum { SL_PAPER_CHOICES = 72, SL_PAPER_CHARTS = 16 };
enum { SL_PAPER_FOLDER = 3000 }; /* longest name of the report's folder; leaves room for all file names below it */

struct sl_paper;

enum { SL_PAPER_SETS = 6 };

/* A configuration: a machine with changed keys, and the variant of the programs that it runs. */
struct sl_paper_config {
  const char *name, *about;
  const char *preset, *form;
  const char *set[SL_PAPER_SETS]; /* KEY=VALUE, ending with NULL */
  unsigned benchmarks;            /* set of benchmarks that it runs; 0: all */
  unsigned base;                  /* the configuration that it is compared with */
};

struct sl_paper_report;
struct sl_paper_charts;

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

/* A program on a configuration. */
struct sl_paper_run {
  bool planned, reused;
  char name[64]; /* names its file in runs/; CONFIG/BENCHMARK where configurations have folders */
  const struct sl_paper_config *config;
  const struct sl_config *machine;
  struct sl_benchmark what;         /* with the arguments for the sizes, and the measured kernel */
  char program[64];                 /* relative to the data or, if it begins with "programs/", to the report's folder */
  const char *benchmark, *argument; /* as recorded; NULL: the end of the name, the size */
  const char *isa;                  /* as recorded; NULL: the program's */
  size_t part, of;                  /* index of its benchmark in the choices, of its program in a paper's list */
  /* Valid after the run. */
  enum sl_status code;
  struct sl_error error;
  char *output;  /* of a failed program: the end of its console output */
  uint64_t hash; /* of the program */
  struct sl_saved_run result;
};

/* All runs of a reproduction. */
struct sl_paper_runs {
  const struct sl_paper *paper;
  const struct sl_paper_config *configs; /* paper->config_count of them */
  const struct sl_paper_report *report;
  const struct sl_paper_order *order;
  const char *folder;
  bool small;                           /* not the paper's sizes */
  bool chosen[SL_PAPER_CHOICES];        /* by --only */
  struct sl_bench_machines *machines;   /* one per configuration */
  struct sl_paper_run *runs;            /* paper->places of them; some may not be planned */
  size_t count, reused;                 /* number of planned runs, and of those that the folder has */
  uint64_t build;                       /* hash of the command */
  void *state;                          /* the paper's own */
  const struct sl_paper_charts *charts; /* of the report, when they are drawn */
};

struct sl_paper {
  const char *name;
  const char *title; /* authors and title */
  const struct sl_paper_config *configs;
  size_t config_count;
  bool whole_program;    /* counters include main */
  size_t places, points; /* number of places for runs; number of points of a sweep, in consecutive places; 0: 1 */
  size_t state;          /* bytes of the paper's own state */
  const char *(*choice)(size_t index); /* NULL: no more */
  /* Plans the runs, with sl_paper_plan(). */
  enum sl_status (*plan)(struct sl_paper_runs *runs, struct sl_error *err);
  /* The following may be NULL. Makes the programs. */
  enum sl_status (*prepare)(struct sl_paper_runs *runs, struct sl_error *err);
  /* Prepares one run and sets its hash; NULL: reads its program. */
  enum sl_status (*load)(struct sl_paper_runs *runs, struct sl_paper_run *run, struct sl_program **program,
                         struct sl_error *err);
  /* Simulates one run. NULL: runs the program as a benchmark. */
  enum sl_status (*simulate)(const struct sl_paper_runs *runs, struct sl_paper_run *run,
                             const struct sl_program *program, struct sl_running *running, struct sl_error *err);
  /* Checks a benchmark that has passed its own check. */
  enum sl_status (*check)(struct sl_paper_run *run, const struct sl_bench_row *row, struct sl_error *err);
  /* Compares the runs with each other when all have ended. */
  void (*compare)(struct sl_paper_runs *runs);
};

extern const struct sl_paper sl_paper_r2d2;

extern const struct sl_paper_report sl_paper_r2d2_report;

/* Names of the papers; ends with NULL. */
extern const char *const sl_papers[];

/* Runs everything that is planned, and writes the report. */
enum sl_status sl_paper_reproduce(const struct sl_paper *paper, const struct sl_paper_report *report,
                                  const struct sl_paper_order *order, struct sl_error *err);

/* ---- for the papers ---------------------------------------------------------------------------------------------- */

/* Plans a run in a place. Returns it; the caller sets its program. */
struct sl_paper_run *sl_paper_plan(struct sl_paper_runs *runs, size_t place, size_t config, const char *name, ...)
    __attribute__((format(printf, 4, 5)));

/* Runs a program as a benchmark: it checks itself. */
enum sl_status sl_paper_run_benchmark(const struct sl_paper_runs *runs, struct sl_paper_run *run,
                                      const struct sl_program *program, struct sl_running *running,
                                      struct sl_error *err);

/* A counter of a run; 0 if there is no such run, or if its machine does not have the counter. */
uint64_t sl_paper_counter(const struct sl_paper_run *run, const char *name);

/* a / b, or 0 if b is 0. */
double sl_paper_quotient(double a, double b);

/* Runs jobs in parallel. The first job that fails ends them. */
struct sl_paper_jobs {
  size_t count;
  void (*name)(const struct sl_paper_runs *runs, size_t job, char *text, size_t size);
  enum sl_status (*run)(struct sl_paper_runs *runs, size_t job, struct sl_running *running, struct sl_error *err);
};
enum sl_status sl_paper_do(struct sl_paper_runs *runs, const struct sl_paper_jobs *jobs, struct sl_error *err);

/* Creates a folder and its parents, in the report's folder. */
enum sl_status sl_paper_make_folder(const struct sl_paper_runs *runs, const char *name, struct sl_error *err);

/* Hash (XXH3) of a file, continuing from `seed`; the seed if it cannot be read. */
uint64_t sl_paper_hash_file(const char *path, uint64_t seed);

#endif
