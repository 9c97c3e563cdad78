/* Result of a launch script, as text and as JSON.
 *
 * The JSON has those members of a program's run (observe/report.h) that apply: schema, simtlab, machine, program {file,
 * module}, mode, outcome, message, status, launches [{entry (the kernel's first PC), function, grid, block,
 * warps_per_block, registers, shared_bytes, blocks_per_sm, limited_by [..], resident, succeeded, counters}], totals
 * {launches, counters, ipc}, sums {buffer: [sum, ..]}, energy (observe/energy/energy.h, on request), host {seconds,
 * kernel_seconds, cycles_per_second}. */
#ifndef SL_OBSERVE_GRID_REPORT_H
#define SL_OBSERVE_GRID_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "device/gpu.h"
#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/sm7_occupancy.h"
#include "observe/energy/energy.h"

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

/* Prints one row per launch: cycles, instructions, resident blocks per SM, and the limiting resource. */
void sl_grid_launches_print(const struct sl_gpu *gpu, FILE *file);

/* Prints the launches, the non-zero counters, and the host's speed. */
void sl_grid_report_print(const struct sl_grid_report *report, FILE *file);

/* Of that the energy only, where it was asked for. */
void sl_grid_report_energy(const struct sl_grid_report *report, FILE *file);

#endif
