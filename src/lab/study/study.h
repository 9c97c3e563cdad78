/* A study file: machines, values of keys, and programs, whose combinations are the runs of the study.
 *
 *   study: lanes                          # its name
 *   about: How many lanes pay off.        # a text for its page
 *   machines:                             # a list of
 *     - simtight                          # presets or files
 *     - {name: small, base: own.yaml, keys: {lanes: 8}, form: RV32E, about: for sixteen registers}
 *     - {for: {n: [1, 2]}, name: "m{n}", base: simtight, keys: {lanes: "{n}"}, where: scale == "paper"}
 *   keys:                                 # each a value, a list or a range
 *     lanes: [8, 16, 32]
 *     warps: {from: 4, to: 64, factor: 2} # or step: 4
 *   zip: [lanes, warps]                   # these keys advance together; a list of such lists is possible
 *   programs:
 *     - elf: VecAdd.elf
 *       arguments: "{size} {seed}"        # words; this is the default
 *       sizes: [small, paper]             # a value, a list or a range, as `seeds` is; or {SCALE: VALUES, ...}
 *       seeds: {from: 1, to: 3}
 *       where: form != "RV32E"            # a run with this program must satisfy it
 *       keys: {fpu: true}                 # of the machine, for this program
 *       kernel: VecAdd                    # counts only launches of this kernel
 *       whole program: true               # counts main, too, where it runs on the GPU
 *     - launch: saxpy.launch              # a launch script
 *     - cuda: ./scan                      # an executable that launches kernels; `opencl` likewise
 *     - command: "./own {machine} {size} {result}"
 *       files: [own]                      # its inputs: a change of one makes the runs new
 *     - elf: "{built}/gemm.elf"           # {built}: a folder beside the database
 *       build: cc.sh {built}/gemm.elf     # makes the program's file if it or its inputs in `files` have changed
 *       build prints: "{code.size} bytes" # numbers that it prints, for the last launch of each run
 *       memory: {0xa0000000: a.bin}       # files in the memory of the machine before the run,
 *       expect: {0xc0000000: c.bin}       # and those that must be there when it ends
 *   filters: [lanes * warps <= 1024]      # a run must satisfy each
 *   metrics: {ipc: warp_instrs / cycles}  # for simtlab query
 *   report: {charts: [...]}               # lab/report/report_template.h
 *   mode: cycle                           # or fast
 *   scale: paper                          # of the sizes; --scale overrides it
 *   sample: auto                          # sampled timing, as --sample of simtlab run
 *   counts: {full: floor(cycles / 2048)}  # of each launch, added to its counters
 *   prints: "kernel cycles {kernel_cycles}," # what each program prints: these numbers count for its last launch
 *   energy: titanv                        # adds energies in femtojoules to the counters
 *   max-cycles: 1000000                   # of each run
 *   runs limit: 5000                      # most combinations
 *
 * An item of any list with `for` stands for an item per combination of values (lab/study/study_for.c).
 *
 * Paths are relative to the study file's folder. Every error begins with FILE:LINE. The product is counted before
 * anything is expanded. */
#ifndef SL_LAB_STUDY_H
#define SL_LAB_STUDY_H

#include "lab/expression.h"
#include "lab/report/report_template.h"

enum { SL_STUDY_NAME = 64, SL_STUDY_TEXT = 192, SL_STUDY_RUNS = 100000, SL_STUDY_RUNS_MOST = 10000000 };

/* A list, or a range of numbers. */
struct sl_study_values {
  size_t line;
  uint64_t count;
  char **list;   /* NULL: a range */
  size_t *lines; /* of the list */
  uint64_t from, step, factor;
};

struct sl_study_key {
  char name[SL_STUDY_NAME];
  struct sl_study_values values;
  size_t group; /* keys of one group advance together */
};

/* Assignments of single values to keys, "KEY=VALUE". */
struct sl_study_settings {
  char **list;
  size_t *lines;
  size_t count;
};

/* A machine. A named one is a preset or a file with changed keys; it has records of its own. */
struct sl_study_machine {
  bool named;
  char *base; /* a preset, or a path relative to the current folder */
  /* Of a named one, or NULL: the form of programs that it runs, for expressions; what it is; the machine that a paper
   * compares it with. */
  char *form, *about, *compare;
  size_t compare_line;
  struct sl_study_settings keys;
  struct sl_study_values programs; /* names of those that it runs; none: all */
  struct sl_metric where;          /* no expression: all runs */
};

/* From SL_STUDY_HOST on: programs of the host, by the number of their runtime (host/runtimes.def). */
enum sl_study_kind { SL_STUDY_ELF, SL_STUDY_LAUNCH, SL_STUDY_COMMAND, SL_STUDY_HOST };

struct sl_study_program {
  size_t line;
  unsigned kind;                /* enum sl_study_kind */
  char name[SL_STUDY_NAME];     /* of the file; of a command: its first word */
  char *path;                   /* relative to the current folder; of a command: its text */
  char *arguments;              /* words with places */
  struct sl_study_values files; /* inputs of a command or a host program */
  struct sl_study_values sizes, seeds;
  struct sl_study_settings keys;
  struct sl_metric where;                  /* no expression: all runs */
  bool whole;                              /* counts main, too, if it runs on the GPU */
  char *build, *build_prints;              /* NULL: none */
  char *kernel;                            /* whose launches count; NULL: all */
  struct sl_study_settings memory, expect; /* ADDRESS=PATH */
};

struct sl_study {
  char *origin; /* path of the file */
  char *about;  /* NULL: none */
  char name[SL_STUDY_NAME];
  size_t line;                     /* of the name */
  struct sl_study_values machines; /* names; a machine that is not named has its base as name */
  struct sl_study_machine *machine;
  size_t machine_count; /* as many; fewer names after an error */
  struct sl_study_key *keys;
  size_t key_count, group_count;
  struct sl_study_program *programs;
  size_t program_count;
  struct sl_metric *filters, *metrics; /* filters have no names */
  size_t filter_count, metric_count;
  struct sl_study_report report;
  bool reduced; /* by --only */
  bool fast;
  char scale[SL_STUDY_NAME]; /* "": none */
  char *sample, *prints;     /* NULL: none; sample: "sampled PLAN" */
  char *energy;              /* a set of energies; NULL: none */
  struct sl_texts counts;
  uint64_t max_cycles; /* 0: no limit */
  uint64_t runs_limit;
  size_t limit_line;
  uint64_t points; /* combinations, before the filters */
};

/* Begins the mode of runs with sampled timing; the plan follows. */
#define SL_SAMPLED "sampled "

/* One combination. Texts of values are in the notation of the file. */
struct sl_study_point {
  uint64_t machine;
  uint64_t group[SL_STUDY_NAME]; /* number of the value, by group */
  size_t program;
  uint64_t size, seed;
};

/* What options change of a study; NULL: as in the file. */
struct sl_study_choice {
  const char *scale, *only, *sample; /* only: names of programs, separated by commas */
  const char *built;                 /* the folder {built}; NULL: beside results/NAME.db */
};

/* Reads a study. Free it also after an error. */
enum sl_status sl_study_read(struct sl_study *study, const char *path, const struct sl_study_choice *choice,
                             struct sl_error *err);
enum sl_status sl_study_parse(struct sl_study *study, const char *path, const char *text, size_t size,
                              const struct sl_study_choice *choice, struct sl_error *err);
void sl_study_free(struct sl_study *study);

/* The mode of the runs, as recorded: fast, cycle, or "sampled PLAN". */
const char *sl_study_mode(const struct sl_study *study);

/* Combination number `index`: machines change slowest, then keys in their order, programs, sizes and seeds. */
struct sl_study_point sl_study_point(const struct sl_study *study, uint64_t index);

/* Value number i as text; "" if there are no values. */
const char *sl_study_value(const struct sl_study_values *values, uint64_t i, char text[SL_STUDY_TEXT]);

/* The line of value number i. */
size_t sl_study_line(const struct sl_study_values *values, uint64_t i);

#endif
