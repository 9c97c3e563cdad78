/* What a launch description came to, as text for people and as JSON for programs.
 *
 * The JSON has the members of a run of a program (observe/report.h) where they mean something: schema, simtlab,
 * machine, program {file, module}, mode, outcome, message, status, launches [{entry (the kernel's first PC), function,
 * grid, block, warps_per_block, registers, shared_bytes, blocks_per_sm, limited_by [..], resident, succeeded,
 * counters}], totals {launches, counters, ipc}, sums {buffer: [sum, ..]}, energy
 * (observe/energy/energy.h, if asked for), host {seconds, kernel_seconds,
 * cycles_per_second}. */
#ifndef SL_OBSERVE_GRID_REPORT_H
#define SL_OBSERVE_GRID_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "gpu/grids.h"
#include "observe/energy/energy.h"

struct sl_grid_report {
  const char *version;
  const struct sl_grids *grids;
  const char *file, *module;
  const json_t *sums;                 /* {buffer: [sum, ..]} */
  const struct sl_energy_set *energy; /* NULL: not asked for */
  const struct sl_error *error;       /* its code is SL_OK when everything was performed */
  double seconds;                     /* of the computer, for all of it */
};

/* The JSON value, NULL without memory; the caller drops the reference. */
json_t *sl_grid_report_json(const struct sl_grid_report *report);

/* A row per launch: cycles, instructions, how many blocks an SM holds, and what limits that. */
void sl_grid_launches_print(const struct sl_grids *grids, FILE *file);

/* That, counters that are not zero, and the host's speed. */
void sl_grid_report_print(const struct sl_grid_report *report, FILE *file);

/* Of that the energy only, where it was asked for. */
void sl_grid_report_energy(const struct sl_grid_report *report, FILE *file);

#endif
