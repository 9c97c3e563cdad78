/* Where the issue slots of a launch description's kernels went: by instruction of the PTX and by line of the source
 * that .loc names, or of the PTX itself. A slot goes to the instruction at which the warp stands that is the cause; the
 * slots of all instructions and those of none add up to the machine's counters, cause by cause. */
#ifndef SL_OBSERVE_GRID_PROFILE_H
#define SL_OBSERVE_GRID_PROFILE_H

#include "observe/grids/grid_report.h"
#include "program/source.h"
#include "ptx/ptx.h"

/* An instruction, or several added up. */
struct sl_grid_row {
  uint32_t pc;
  const char *function, *file;
  uint32_t line;
  struct sl_sm7_slots slots;
  uint64_t all; /* over all causes */
};

struct sl_grid_line {
  struct sl_grid_row sum;        /* pc: its first in `rows` */
  const struct sl_grid_row *row; /* its instructions, the one with most slots first */
  size_t count;
};

struct sl_grid_profile {
  const struct sl_grid_report *run;
  struct sl_ptx_module *module;
  struct sl_source text; /* of the PTX */
  struct sl_grid_row *rows;
  size_t row_count;
  struct sl_grid_line *lines; /* the one with most slots first */
  size_t line_count;
  struct sl_grid_row total, nowhere; /* nowhere: of no instruction */
};

/* Of a run whose grids have watched; it must outlive the profile. To be freed also when this failed. */
enum sl_status sl_grid_profile_create(struct sl_grid_profile *profile, const struct sl_grid_report *run,
                                      struct sl_error *err);
void sl_grid_profile_free(struct sl_grid_profile *profile);

/* SL_INTERNAL if slots do not add up to the counters. */
enum sl_status sl_grid_profile_check(const struct sl_grid_profile *profile, struct sl_error *err);

/* A summary, and so many lines with so many instructions each. */
enum sl_status sl_grid_profile_print(const struct sl_grid_profile *profile, size_t lines, size_t instructions,
                                     FILE *file, struct sl_error *err);

/* The JSON value (docs/how-to/profiling.md), NULL without memory; the caller drops the reference. */
json_t *sl_grid_profile_json(const struct sl_grid_profile *profile);

/* The text of an instruction, without its semicolon; returns text. */
enum { SL_GRID_TEXT = 160 };
const char *sl_grid_row_text(const struct sl_grid_profile *profile, uint32_t pc, char text[SL_GRID_TEXT]);

#endif
