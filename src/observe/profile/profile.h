/* Profile of a run, by instruction and by source line: instruction statistics, regularity of values, and stall
 * accounting of all cycles. Output is text, one HTML file, or JSON.
 *
 * An observer fills the rows (observe/profile/profile.h). This module adds instructions, source lines and sums.
 * Rows of zeros are omitted. */
#ifndef SL_OBSERVE_PROFILE_PROFILE_H
#define SL_OBSERVE_PROFILE_PROFILE_H

#include <jansson.h>
#include <stdio.h>

#include "base/error.h"
#include "base/queues.h"
#include "device/device.h"
#include "machine/machine.h"
#include "observe/figures.h"
#include "program/program.h"

/* ---- registers and occupancy ------------------------------------------------------------------------------------- */

/* Vector registers in use over the time of each launch, for the profile's page. They are recorded during the run, since
 * a machine stores only those of its last launch. */

/* Maximum on a page; further launches are omitted. */
enum { SL_RESIDENCY_LAUNCHES = 256 };

struct sl_residency_launch {
  size_t number; /* number of the launch */
  uint32_t entry;
  struct sl_series series;
};

struct sl_residency {
  struct sl_residency_launch *launch;
  size_t count;
  size_t left_out;
};

/* Records a finished launch; omits it if memory is exhausted. */
void sl_residency_add(struct sl_residency *residency, size_t number, uint32_t entry, const struct sl_series *series);
void sl_residency_free(struct sl_residency *residency);

/* Writes a plot with a selection of launches; nothing if there are none. */
void sl_residency_html(const struct sl_residency *residency, const struct sl_config *config,
                       const struct sl_program *program, FILE *f);

/* Occupancy of each launch: the blocks that a core holds at a time, and the resources that limit their number. The
 * profile records it during the run, because the device only knows the occupancy of the current kernel. */

struct sl_occupancy_launch {
  size_t number; /* of the launch */
  uint32_t entry;
  struct sl_occupancy occupancy;
};

struct sl_occupancies {
  struct sl_occupancy_launch *launch;
  size_t count;
};

/* Records a launch; omits it if memory is exhausted. */
void sl_occupancies_add(struct sl_occupancies *all, const struct sl_occupancy_launch *launch);
void sl_occupancies_free(struct sl_occupancies *all);

/* Returns the limits that all launches share; 0: none, or unknown. */
unsigned sl_occupancy_limits(const struct sl_occupancies *all);

/* Prints a line for all launches of a kernel with equal occupancy: "occupancy: fill 8 blocks ...". */
void sl_occupancy_print(const struct sl_occupancies *all, const struct sl_program *program, FILE *file);
void sl_occupancy_html(const struct sl_occupancies *all, const struct sl_program *program, FILE *file);

/* [{launch, kernel, blocks_per_core, warps_per_core, most_warps, limited_by [..]}] */
json_t *sl_occupancy_json(const struct sl_occupancies *all, const struct sl_program *program);

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Rows of a profile: an observer that fills one row per word of instruction memory during a run. The rows partition the
 * kernels' cycles exactly. On every core, the sum of all rows' cycles over all stall reasons equals the launches'
 * cycles. */

struct sl_profile_row {
  uint64_t vector_issues, scalar_issues; /* issues in the vector and in the scalar pipeline */
  uint64_t active_lanes;                 /* sum over both pipelines */
  uint64_t retries;
  uint64_t aborts; /* attempts aborted by the scalar pipeline */
  uint64_t spills, unspills;
  uint64_t operands[SL_REGULARITY_COUNT]; /* register operands read, except x0 */
  uint64_t results[SL_REGULARITY_COUNT];  /* results written, except x0 */
  uint64_t transactions;                  /* with DRAM or cache */
  uint64_t scratchpad_requests;           /* warp requests to the scratchpad, */
  uint64_t scratchpad_passes;             /* bank cycles of these requests; bank conflicts add to */
  uint64_t scratchpad_least;              /* this minimum */
  uint64_t held;                /* retries of other instructions that waited for a resource held by this one */
  uint64_t queued, queued_held; /* cycles its accesses waited behind others, and cycles others waited behind them */
  uint64_t cycles[SL_MAX_STALL_REASONS]; /* by stall reason of the machine */
};

struct sl_profile {
  uint32_t code_base;
  unsigned word_bytes;
  size_t count; /* words of instruction memory */
  struct sl_profile_row *rows;
  const struct sl_program *program;
  struct sl_launch_choice choice; /* launches to count */
  bool counting;                  /* such a launch is running */
};

/* Allocates zeroed rows for a machine's instruction memory; if programs can be anywhere in memory, for the program's
 * code. All launches are selected. */
enum sl_status sl_profile_create(struct sl_profile *profile, const struct sl_soc *soc, const struct sl_program *program,
                                 struct sl_error *err);
void sl_profile_free(struct sl_profile *profile);

/* Returns the observer that fills the rows; the caller attaches it to a device. */
struct sl_probes sl_profile_probes(struct sl_profile *profile);

extern const char *const sl_regularity_names[SL_REGULARITY_COUNT];

/* A row, or a sum of several. */
struct sl_profile_sum {
  struct sl_profile_row row;
  uint64_t cycles;   /* over all stall reasons */
  uint64_t issues;   /* of both pipelines */
  uint64_t accesses; /* issues of loads, stores and atomics */
};

struct sl_profile_insn {
  uint32_t pc;
  struct sl_insn insn;
  struct sl_location at;
  struct sl_profile_sum sum;
  size_t line; /* index of its source line */
};

/* A source line; for instructions without one, a function. */
struct sl_profile_line {
  struct sl_location at; /* of its first instruction */
  struct sl_profile_sum sum;
  /* Its instructions, by address and by cycles. */
  const struct sl_profile_insn *const *by_address, *const *by_cycles;
  size_t count;
};

/* Inputs of a profile; must outlive the report. */
struct sl_profile_run {
  const char *version;
  const char *origin; /* origin of the result, for the page; may be NULL */
  const struct sl_config *config;
  const struct sl_program *program;
  const struct sl_profile *profile;
  const struct sl_result *result;
  /* Vector registers in use, in the last launch and in all counted launches; NULL if the machine does not record
   * them. */
  const struct sl_series *residency;
  const struct sl_residency *launches;
  const struct sl_occupancies *occupancies; /* NULL: not kept */
  const struct sl_error *error;             /* of the run; its code is SL_OK when the program ended by itself */
};

struct sl_profile_report {
  struct sl_profile_run run;
  struct sl_figures figures;
  struct sl_profile_sum total;
  struct sl_profile_insn *insns; /* by address */
  size_t insn_count;
  struct sl_profile_line *lines; /* by file and line */
  const struct sl_profile_line **hottest;
  size_t line_count;
  const struct sl_profile_insn **by_address, **by_cycles; /* storage for the lines' pointers */
  struct sl_launch *launches;                             /* the counted launches */
  size_t launch_count;
};

enum sl_status sl_profile_report_create(struct sl_profile_report *report, const struct sl_profile_run *run,
                                        struct sl_error *err);
void sl_profile_report_free(struct sl_profile_report *report);

/* Stall reasons of the machine's rows. */
const struct sl_stall_reasons *sl_profile_stall_reasons(const struct sl_profile_report *report);

/* Number of cores of the machine; each has its own cycles. */
unsigned sl_profile_cores(const struct sl_profile_report *report);

/* Checks that every cycle of the kernels, on every core, is attributed to one instruction and one stall reason:
 * SL_INTERNAL if the sums differ. Only finished launches are checked, because a truncated launch may have an open
 * stall. */
enum sl_status sl_profile_check(const struct sl_profile_report *report, struct sl_error *err);

/* 100 * part / whole, 0 if whole is 0. */
double sl_percent(uint64_t part, uint64_t whole);

/* part / whole, 0 if whole is 0. */
double sl_ratio(uint64_t part, uint64_t whole);

/* Scratchpad bank cycles beyond the minimum for the accesses. */
uint64_t sl_bank_conflicts(const struct sl_profile_row *row);

/* Writes "VecAdd.c:12", or the function if the line is unknown, into text; returns text. */
enum { SL_LINE_NAME = 160 };
const char *sl_profile_line_name(const struct sl_location *at, char text[SL_LINE_NAME]);

/* Disassembly with blanks instead of tabs. */
enum { SL_INSN_TEXT = 128 };
const char *sl_profile_insn_text(const struct sl_profile_insn *insn, char text[SL_INSN_TEXT]);

/* Length limits of a printed profile. */
struct sl_profile_extent {
  size_t lines;
  size_t insns; /* per line */
  bool roofline;
};

/* Prints the summary, then the source lines with most cycles and their instructions, in 120 columns. */
enum sl_status sl_profile_print(const struct sl_profile_report *report, const struct sl_profile_extent *extent,
                                FILE *file, struct sl_error *err);

/* Writes one self-contained HTML file. The file's error indicator reports a failed write. */
enum sl_status sl_profile_html(const struct sl_profile_report *report, FILE *file, struct sl_error *err);

/* Returns the JSON value (docs/how-to/profiling.md), NULL if out of memory; the caller drops the reference. */
json_t *sl_profile_json(const struct sl_profile_report *report);

/* ---- profiles of a device ---------------------------------------------------------------------------------------- */

/* Collects the profile of launches on a device: the rows of their instructions, vector registers in use over the time
 * of each launch, and occupancies. */

struct sl_profile_collector {
  struct sl_profile profile;
  const struct sl_device *device; /* set when the device is there */
  struct sl_residency residency;
  struct sl_occupancies occupancies;
  uint32_t entry; /* of the current launch */
};

/* Its profile counts all launches, unless the caller chooses others. Free it also after an error. */
enum sl_status sl_profile_collector_create(struct sl_profile_collector *collector, const struct sl_soc *soc,
                                           const struct sl_program *program, struct sl_error *err);
void sl_profile_collector_free(struct sl_profile_collector *collector);

/* The observer of the device. */
struct sl_probes sl_profile_collector_probes(struct sl_profile_collector *collector);

/* After a run that ended within its first launch: keeps what is known of that one. */
void sl_profile_collector_cut_short(struct sl_profile_collector *collector);

/* Parts of a profile's output: columns, advice, roofline. */

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* Columns of a profile. Text, HTML and JSON output loop over this table for each instruction, each source line and the
 * total. A column is omitted if the machine does not fill the fields it needs. */

enum sl_column_form {
  SL_COLUMN_COUNT,             /* part; if there is a whole, no figure where the whole is 0 */
  SL_COLUMN_RATIO,             /* part / whole, no figure where the whole is 0 */
  SL_COLUMN_PERCENT,           /* 100 * part / whole, no figure where the whole is 0 */
  SL_COLUMN_REGULARITY,        /* shares of uniform, affine and general values */
  SL_COLUMN_STALL_REASONS,     /* shares of the machine's stall reasons */
  SL_COLUMN_OTHER_STALL_REASON /* the largest stall reason except the first, and its share */
};

struct sl_profile_column {
  const char *name;  /* JSON name of the part, NULL: omitted */
  const char *title; /* HTML title, NULL: omitted */
  const char *meaning;
  const char *text[2]; /* title in two lines of text, NULL: omitted */
  int width;           /* width in text, negative: left-aligned */
  int spare;           /* in text, above 0: droppable on a narrow terminal, largest first */
  const char *event;   /* name of the parts in the summary's event list, NULL: omitted */
  enum sl_column_form form;
  int digits;
  unsigned needs; /* one of these parts of the machine's rows is required, 0: none */
  uint64_t (*part)(const struct sl_profile_sum *sum);
  uint64_t (*whole)(const struct sl_profile_report *report, const struct sl_profile_sum *sum);
  const uint64_t *(*kinds)(const struct sl_profile_sum *sum); /* with SL_COLUMN_REGULARITY */
};

extern const struct sl_profile_column sl_profile_columns[];
extern const size_t sl_profile_column_count;

/* Whether the machine's rows have one of these parts, or none is required. */
bool sl_profile_has(const struct sl_profile_report *report, unsigned parts);

/* Whether some row can have a figure: none has one of the scratchpad where nothing asks it. */
bool sl_column_has_figures(const struct sl_profile_column *column, const struct sl_profile_report *report);

/* Whether there is a figure in the column, and which it is. */
bool sl_column_figure(const struct sl_profile_column *column, const struct sl_profile_report *report,
                      const struct sl_profile_sum *sum, double *figure);

/* ---- advice ------------------------------------------------------------------------------------------------------ */

/* Optimisation advice from a profile: sentences with place, evidence and remedy, in descending order of weight. A rule
 * applies only if the profile contains its evidence, so there may be no advice. */

enum { SL_ADVICE_MOST = 8, SL_ADVICE_TEXT = 500 };

struct sl_advice_item {
  const char *rule; /* "uncoalesced" */
  double share;     /* share of all cycles that the advice concerns */
  char text[SL_ADVICE_TEXT];
};

/* Returns the number of items. */
size_t sl_profile_advice(const struct sl_profile_report *report, struct sl_advice_item item[SL_ADVICE_MOST]);

/* [{rule, share, text}] */
json_t *sl_profile_advice_json(const struct sl_profile_report *report);

/* ---- roofline ---------------------------------------------------------------------------------------------------- */

/* Roofline model of a run's kernels: thread instructions per cycle against thread instructions per byte of DRAM and of
 * scratchpad. The peaks are the machine's (machine/machine.h), the counts those of the launches. */

/* Prints a table of the kernels, and of the launches if there are more of these; 80 columns. */
enum sl_status sl_roofline_print(const struct sl_profile_report *report, FILE *file, struct sl_error *err);

/* Writes chart and table of the page. */
enum sl_status sl_roofline_html(const struct sl_profile_report *report, FILE *file, struct sl_error *err);

/* {peaks {..}, kernels [..], launches [..]}; NULL: out of memory. */
json_t *sl_roofline_json(const struct sl_profile_report *report);

#endif
