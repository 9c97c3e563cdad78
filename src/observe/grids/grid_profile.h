/* Profile of a launch script's kernels: attributes issue slots to PTX instructions and to lines of the source that .loc
 * names, or of the PTX itself. A slot is charged to the current instruction of the warp that causes the stall. The
 * slots of all instructions, plus those charged to none, equal the machine's counters for each stall reason. */
#ifndef SL_OBSERVE_GRIDS_GRID_PROFILE_H
#define SL_OBSERVE_GRIDS_GRID_PROFILE_H

#include "isa/probe.h"
#include "observe/grids/grid_report.h"
#include "program/source.h"
#include "ptx/ptx.h"

/* Issue slots charged to an instruction, by stall reason, and its thread instructions. */
struct sl_grid_slots {
  uint64_t cause[SL_SM7_STALL_REASONS], thread_instructions;
};

/* The slots of all instructions, collected from the events of a run. */
struct sl_grid_rows {
  struct sl_grid_slots *slots; /* by PC of the module, followed by those charged to none; NULL: no kernel has begun */
  uint32_t count;              /* instructions of the module */
  bool lost;                   /* the host had no memory for them */
};

/* The observer that collects them. They must outlive it; the caller frees `slots`. */
struct sl_probes sl_grid_rows_probes(struct sl_grid_rows *rows);

/* An instruction, or a sum of several. */
struct sl_grid_row {
  uint32_t pc;
  const char *function, *file;
  uint32_t line;
  struct sl_grid_slots slots;
  uint64_t all; /* over all stall reasons */
};

struct sl_grid_line {
  struct sl_grid_row sum;        /* pc: its first instruction in `rows` */
  const struct sl_grid_row *row; /* its instructions, by descending number of slots */
  size_t count;
};

struct sl_grid_profile {
  const struct sl_grid_report *run;
  const struct sl_grid_rows *collected;
  struct sl_ptx_module *module;
  struct sl_source text; /* of the PTX */
  struct sl_grid_row *rows;
  size_t row_count;
  struct sl_grid_line *lines; /* by descending number of slots */
  size_t line_count;
  struct sl_grid_row total, nowhere; /* nowhere: slots charged to no instruction */
};

/* The run and the rows collected in it must outlive the profile. The caller frees the profile, also after a failure. */
enum sl_status sl_grid_profile_create(struct sl_grid_profile *profile, const struct sl_grid_report *run,
                                      const struct sl_grid_rows *rows, struct sl_error *err);
void sl_grid_profile_free(struct sl_grid_profile *profile);

/* SL_INTERNAL: the slots do not add up to the counters. */
enum sl_status sl_grid_profile_check(const struct sl_grid_profile *profile, struct sl_error *err);

/* Prints a summary, then this many lines with this many instructions each. */
enum sl_status sl_grid_profile_print(const struct sl_grid_profile *profile, size_t lines, size_t instructions,
                                     FILE *file, struct sl_error *err);

/* Returns the JSON value (docs/how-to/profiling.md), NULL if out of memory; the caller drops the reference. */
json_t *sl_grid_profile_json(const struct sl_grid_profile *profile);

/* Writes an instruction without its semicolon; returns text. */
enum { SL_GRID_TEXT = 160 };

#endif
