/* The profile of a run: what each instruction did, how regular the values were that it worked on, and where the cycles
 * went, by instruction and by source line; as text, as one HTML file and as JSON.
 *
 * A listener fills in the rows (observe/profile/profile_rows.h). Here they get their instructions, source lines and
 * sums. Rows of zeros are left out. */
#ifndef SL_OBSERVE_PROFILE_H
#define SL_OBSERVE_PROFILE_H

#include <jansson.h>
#include <stdio.h>

#include "gpu/device.h"
#include "observe/figures.h"
#include "observe/profile/profile_occupancy.h"
#include "observe/profile/profile_residency.h"
#include "observe/profile/profile_rows.h"

extern const char *const sl_regularity_names[SL_REGULARITY_COUNT];

/* A row, or several added up. */
struct sl_profile_sum {
  struct sl_profile_row row;
  uint64_t cycles;   /* over all causes */
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

/* A source line; of instructions without one, a function. */
struct sl_profile_line {
  struct sl_location at; /* of its first instruction */
  struct sl_profile_sum sum;
  /* Its instructions, by address and by cycles. */
  const struct sl_profile_insn *const *by_address, *const *by_cycles;
  size_t count;
};

/* What a profile is made from; must outlive the report. */
struct sl_profile_run {
  const char *version;
  const char *origin; /* where the result comes from, for the page; may be NULL */
  const struct sl_config *config;
  const struct sl_program *program;
  const struct sl_profile *profile;
  const struct sl_result *result;
  /* Vector registers in use in the last launch, and in all that are counted; NULL when the machine does not tell. */
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
  const struct sl_profile_insn **by_address, **by_cycles; /* what the lines point into */
  struct sl_launch *launches;                             /* those that are counted */
  size_t launch_count;
};

enum sl_status sl_profile_report_create(struct sl_profile_report *report, const struct sl_profile_run *run,
                                        struct sl_error *err);
void sl_profile_report_free(struct sl_profile_report *report);

/* Of the machine: where cycles of its rows go. */
const struct sl_causes *sl_profile_causes(const struct sl_profile_report *report);

/* Of the machine: each has cycles of its own. */
unsigned sl_profile_cores(const struct sl_profile_report *report);

/* Every cycle of the kernels, on every core, belongs to one instruction and one cause: SL_INTERNAL if they do not add
 * up. A launch that was cut short may have begun to wait for what never came, so only finished ones are held to it. */
enum sl_status sl_profile_check(const struct sl_profile_report *report, struct sl_error *err);

/* 100 * part / whole, 0 without a whole. */
double sl_percent(uint64_t part, uint64_t whole);

/* part / whole, 0 without a whole. */
double sl_ratio(uint64_t part, uint64_t whole);

/* Cycles that the scratchpad's banks took beyond those that the accesses need at least. */
uint64_t sl_bank_conflicts(const struct sl_profile_row *row);

/* "VecAdd.c:12", or the function where no line is known, into text; returns text. */
enum { SL_LINE_NAME = 160 };
const char *sl_profile_line_name(const struct sl_location *at, char text[SL_LINE_NAME]);

/* Disassembly with blanks for tabs. */
enum { SL_INSN_TEXT = 128 };
const char *sl_profile_insn_text(const struct sl_profile_insn *insn, char text[SL_INSN_TEXT]);

/* How much of a profile is printed. */
struct sl_profile_extent {
  size_t lines;
  size_t insns; /* of each line */
  bool roofline;
};

/* The summary, then the source lines that took most cycles with their instructions. 120 columns. */
enum sl_status sl_profile_print(const struct sl_profile_report *report, const struct sl_profile_extent *extent,
                                FILE *file, struct sl_error *err);

/* One HTML file that needs no others. A failed write shows in the file's error indicator. */
enum sl_status sl_profile_html(const struct sl_profile_report *report, FILE *file, struct sl_error *err);

/* The JSON value (docs/how-to/profiling.md), NULL without memory; the caller drops the reference. */
json_t *sl_profile_json(const struct sl_profile_report *report);

#endif
