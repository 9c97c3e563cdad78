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
 *   report: {charts: [...]}               # lab/report/study_report.h
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

#include <yaml.h>

#include "base/error.h"
#include "base/types.h"

enum { SL_STUDY_NAME = 64, SL_STUDY_TEXT = 192, SL_STUDY_RUNS = 100000, SL_STUDY_RUNS_MOST = 10000000 };

/* ---- expressions ------------------------------------------------------------------------------------------------- */

/* Expressions over named values: the filters and metrics of studies, and the options of `simtlab query`.
 *
 * An expression has numbers, "texts", names, parentheses, the operators || && == != < <= > >= + - * / % ! of C, and the
 * functions min, max, pow (of two values), abs, sqrt, log2, floor, ceil, and if(condition, then, else). A name may
 * contain dots, and end with @MACHINE in the tables of reports, where a machine's name may have dashes. Texts can only
 * be compared with == and !=. What cannot be computed, such as a quotient by 0, is not a number; every result that
 * depends on it is not a number either. */

struct sl_datum {
  const char *text; /* NULL: a number */
  double number;
};

struct sl_expression;

/* Parses a text. SL_USAGE: the sentence names the column. Free the expression also after an error. */
enum sl_status sl_expression_parse(struct sl_expression **expression, const char *text, struct sl_error *err);
void sl_expression_free(struct sl_expression *expression);

const char *sl_expression_text(const struct sl_expression *expression);

/* The different names in the expression. */
size_t sl_expression_name_count(const struct sl_expression *expression);
const char *sl_expression_name(const struct sl_expression *expression, size_t i);

/* Evaluates with one value per name, in the order of the names. */
struct sl_datum sl_expression_value(const struct sl_expression *expression, const struct sl_datum *values);

/* Whether a filter accepts the value: a number other than 0. */
bool sl_datum_holds(struct sl_datum value);

/* The value of a text: 1 and 0 for true and false, a number if it is one, else the text itself, which must outlive the
 * value. */
struct sl_datum sl_datum_of(const char *text);

enum { SL_METRIC_NAME = 64 };

/* A named expression, which may use other metrics. */
struct sl_metric {
  char name[SL_METRIC_NAME];
  size_t line; /* in the study file; 0: none */
  struct sl_expression *expression;
};

/* The metric of a name; NULL: there is none. */
const struct sl_metric *sl_metric_find(const struct sl_metric *metrics, size_t count, const char *name);

/* Checks that no metric uses itself, directly or through others. The sentence lists the cycle; *at is the number of a
 * metric in it. */
enum sl_status sl_metrics_check(const struct sl_metric *metrics, size_t count, size_t *at, struct sl_error *err);

/* ---- reports ----------------------------------------------------------------------------------------------------- */

/* The section `report` of a study file: charts over the runs of the study, or tables of derived numbers in sections of
 * text (docs/reference/laboratory.md).
 *
 *   report:
 *     title: Lanes and warps
 *     charts:
 *       - {chart: bars, title: Speed, x: lanes, y: ipc, colour: machine, facet: program}
 *
 * Bars, lines, boxes and tables have a name as `x` and a metric as `y`; a heat map has names as `x` and `y` and a
 * metric as `colour`; the others have metrics as `x` and `y`. `colour` and `facet` are names of texts. */

/* Named texts of a mapping. */
struct sl_texts {
  struct sl_text {
    char name[64];
    char *text;
    size_t line;
  } * list;
  size_t count, line;
};

/* The text of a name; NULL: there is none. */
const char *sl_texts_find(const struct sl_texts *texts, const char *name);

enum sl_chart_kind {
  SL_CHART_BARS,
  SL_CHART_LINES,
  SL_CHART_BOX,
  SL_CHART_TABLE,
  SL_CHART_HEAT_MAP,
  SL_CHART_SCATTER,
  SL_CHART_PARETO,
  SL_CHART_ROOFLINE,
  SL_CHART_KINDS
};

enum sl_chart_field {
  SL_CHART_KIND,
  SL_CHART_TITLE,
  SL_CHART_X,
  SL_CHART_Y,
  SL_CHART_COLOUR,
  SL_CHART_FACET,
  SL_CHART_WHERE,
  SL_CHART_NORMALISE,
  SL_CHART_MEAN,      /* arithmetic or geometric */
  SL_CHART_PEAK,      /* of a roofline: the most of y */
  SL_CHART_BANDWIDTH, /* of a roofline: its slope */
  SL_CHART_FIELDS
};

struct sl_study_chart {
  enum sl_chart_kind kind;
  size_t line;
  char *text[SL_CHART_FIELDS]; /* NULL: not given */
  size_t lines[SL_CHART_FIELDS];
};

/* A table: rows for each value of some names, or with texts of their own, and columns of expressions. */
struct sl_report_table {
  size_t line;
  struct sl_texts fields, *columns, *rows, *totals; /* totals: rows over all runs, behind the others */
  size_t column_count, row_count, total_count;
};

struct sl_study_report {
  char *title;
  size_t line;               /* 0: the study has no report */
  struct sl_texts define;    /* texts that others name in braces */
  struct sl_texts published; /* files of published numbers, by name; paths from the current folder */
  struct sl_report_table *tables;
  struct sl_texts *sections;
  size_t table_count, section_count;
  struct sl_study_chart *charts;
  size_t count;
};

extern const char *const sl_chart_kinds[SL_CHART_KINDS], *const sl_chart_fields[SL_CHART_FIELDS];

struct sl_study_file;
struct yaml_node_s;

/* Reads the section. Free the report also after an error. */
enum sl_status sl_report_read(struct sl_study_file *file, struct yaml_node_s *node, struct sl_study_report *report);
void sl_report_free(struct sl_study_report *report);

/* ---- studies ----------------------------------------------------------------------------------------------------- */

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

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Reads YAML of studies: mappings by tables of fields, lists, ranges. Every error begins with FILE:LINE. */

struct sl_study_file {
  const char *origin;
  yaml_document_t document;
  struct sl_error *err;
  size_t name_line;  /* of the pair that sl_study_mapping visits */
  const char *scale; /* of the sizes; "": none */
};

/* Expands items of lists that have `for`. */
enum sl_status sl_study_expand(struct sl_study_file *file);

/* Replaces a name in all texts of the document. */
enum sl_status sl_study_replace(struct sl_study_file *file, const char *name, const char *text);

/* A field of a mapping, and the function that reads its value into the target. */
struct sl_study_field {
  const char *name;
  enum sl_status (*read)(struct sl_study_file *file, yaml_node_t *node, void *target);
};

/* Parses one document. *root: its mapping. Delete the document also after an error. */
enum sl_status sl_study_file_open(struct sl_study_file *file, const char *text, size_t size, yaml_node_t **root,
                                  struct sl_error *err);

size_t sl_yaml_line(const yaml_node_t *node);

/* Fails with FILE:LINE: and a sentence. */
enum sl_status sl_study_fail(struct sl_study_file *file, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads the fields of a mapping. The name of another field, or of the same twice, is an error. */
enum sl_status sl_study_fields(struct sl_study_file *file, yaml_node_t *node, const char *what,
                               const struct sl_study_field *fields, void *target);

/* Calls a function for each pair of a mapping, or for each item of a list; a single value counts as a list of one. The
 * function's `name` is the pair's name, or NULL. */
typedef enum sl_status sl_study_item(struct sl_study_file *file, const char *name, yaml_node_t *node, void *target);
enum sl_status sl_study_mapping(struct sl_study_file *file, yaml_node_t *node, const char *what, sl_study_item *item,
                                void *target);
enum sl_status sl_study_list(struct sl_study_file *file, yaml_node_t *node, sl_study_item *item, void *target);

/* A single value: as text, which the caller frees, or as a number from `least` on. */
enum sl_status sl_study_text(struct sl_study_file *file, yaml_node_t *node, char **text);
enum sl_status sl_study_name(struct sl_study_file *file, yaml_node_t *node, char name[SL_STUDY_NAME]);
enum sl_status sl_study_number(struct sl_study_file *file, yaml_node_t *node, uint64_t least, uint64_t *number);

enum sl_status sl_study_switch(struct sl_study_file *file, yaml_node_t *node, bool *on);

/* A value, a list or a range. */
enum sl_status sl_study_values(struct sl_study_file *file, yaml_node_t *node, struct sl_study_values *values);
void sl_study_values_free(struct sl_study_values *values);

/* Sizes: values, or a mapping of scales to values, of which those of the study's scale count. */
enum sl_status sl_study_sizes(struct sl_study_file *file, yaml_node_t *node, struct sl_study_values *values);

/* A mapping of names to single texts. `names`: those that it may have; NULL: any. */
enum sl_status sl_study_texts(struct sl_study_file *file, yaml_node_t *node, const char *what, const char *const *names,
                              struct sl_texts *texts);
enum sl_status sl_study_texts_add(struct sl_study_file *file, const char *name, yaml_node_t *node, const char *what,
                                  const char *const *names, struct sl_texts *texts);
void sl_texts_free(struct sl_texts *texts);

/* An expression. */
enum sl_status sl_study_rule(struct sl_study_file *file, yaml_node_t *node, struct sl_metric *rule);

/* A mapping of keys to single values. */
enum sl_status sl_study_settings(struct sl_study_file *file, yaml_node_t *node, struct sl_study_settings *settings);
void sl_study_settings_free(struct sl_study_settings *settings);

/* The path of a file that the study names, from the current folder; NULL: out of memory. */
char *sl_study_path(const struct sl_study_file *file, const char *name);

/* Read the sections `machines` and `programs`. */
enum sl_status sl_study_machines(struct sl_study_file *file, yaml_node_t *node, struct sl_study *study);
void sl_study_machines_free(struct sl_study *study);
enum sl_status sl_study_programs(struct sl_study_file *file, yaml_node_t *node, struct sl_study *study);

void sl_study_program_free(struct sl_study_program *program);

#endif
