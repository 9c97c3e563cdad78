/* Result of a launch script, as text and as JSON.
 *
 * The JSON has those members of a program's run (observe/report.h) that apply: schema, simtlab, machine, program {file,
 * module}, mode, outcome, message, status, launches [{entry (the kernel's first PC), function, grid, block,
 * warps_per_block, registers, shared_bytes, blocks_per_sm, limited_by [..], resident, succeeded, counters}], totals
 * {launches, counters, ipc}, sums {buffer: [sum, ..]}, energy (observe/energy/energy.h, on request), host {seconds,
 * kernel_seconds, cycles_per_second}. */
#ifndef SL_OBSERVE_GRIDS_GRID_REPORT_H
#define SL_OBSERVE_GRIDS_GRID_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "device/gpu.h"
#include "isa/probe.h"
#include "machine/machine.h"
#include "observe/energy/energy.h"
#include "program/program.h"
#include "ptx/ptx.h"

struct sl_grid_report {
  const char *version;
  const struct sl_gpu *gpu;
  const char *file, *module;
  const json_t *sums;                 /* {buffer: [sum, ..]} */
  const struct sl_energy_set *energy; /* NULL: not requested */
  const struct sl_error *error;       /* its code is SL_OK if the whole script was executed */
  double seconds;                     /* host time in total */
};

/* Returns the JSON value, NULL if out of memory; the caller drops the reference. */
json_t *sl_grid_report_json(const struct sl_grid_report *report);

/* Prints the launches, the non-zero counters, and the host's speed. */
void sl_grid_report_print(const struct sl_grid_report *report, FILE *file);

/* Of that the energy only, where it was asked for. */
void sl_grid_report_energy(const struct sl_grid_report *report, FILE *file);

/* Profile of a launch script's kernels: attributes issue slots to PTX instructions and to lines of the source that .loc
 * names, or of the PTX itself. A slot is charged to the current instruction of the warp that causes the stall. The
 * slots of all instructions, plus those charged to none, equal the machine's counters for each stall reason. */

/* Issue slots charged to an instruction, by stall reason, and its thread instructions. */
struct sl_grid_slots {
  uint64_t cause[SL_MAX_STALL_REASONS], thread_instructions;
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

/* The text of an instruction. */
enum { SL_GRID_TEXT = 160 };
const char *sl_grid_row_text(const struct sl_grid_profile *profile, uint32_t pc, char text[SL_GRID_TEXT]);

/* Writes a page with the launches, and all source lines and instructions. */
enum sl_status sl_grid_profile_html(const struct sl_grid_profile *profile, FILE *file, struct sl_error *err);

/* Returns the JSON value (docs/how-to/profiling.md), NULL if out of memory; the caller drops the reference. */
json_t *sl_grid_profile_json(const struct sl_grid_profile *profile);

/* ---- sampled launches -------------------------------------------------------------------------------------------- */

/* JSON of the clusters of sampled launches (device/engine/launch_sampling.h): [{kernel, block, shared, blocks [least,
 * most], launches, timed, warp_instrs, cycles, interval}]. `interval` is half of the 95 % confidence interval of the
 * cycles, null if unknown. */

/* Of a settled GPU that samples launches; NULL: out of memory. The caller drops the reference. */
json_t *sl_launch_clusters_json(const struct sl_gpu *gpu);

#endif
