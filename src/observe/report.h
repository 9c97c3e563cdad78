/* Result of a run, as text and as JSON.
 *
 * JSON of a run (schema 1): schema, simtlab (version), machine {name, pipeline, keys {every effective key}}, program
 * {file, hash}, mode ("cycle", "fast" or "sampled"), outcome ("passed", "check failed", "fault", "limit", "error"),
 * message (only if the program did not end), status (null likewise), host_instructions, launches [{entry, function,
 * warps_per_block, succeeded, counters {name {value, unit}}}], totals {counters, ipc}, vector_registers_over_time
 * {cycles_per_sample, most_in_use [..]} (of the last launch, if the machine records them), memory_hash, host {seconds,
 * sm_seconds, cycles_per_second}. Two runs differ only in `host`. */
#ifndef SL_OBSERVE_REPORT_H
#define SL_OBSERVE_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "device/device.h"
#include "observe/energy/energy.h"
#include "observe/figures.h"
#include "observe/output.h"

struct sl_report {
  const char *version;
  const struct sl_config *config;
  const struct sl_program *program;
  const struct sl_device *device;
  bool fast;
  const struct sl_energy_set *energy; /* for the summary; NULL: not requested */
  const struct sl_error *error;       /* of the run; its code is SL_OK if the program ended by itself */
};

/* Returns the JSON value, NULL if out of memory; the caller drops the reference. */
json_t *sl_report_json(const struct sl_report *report);

/* {name, pipeline, keys} of a configuration. */
json_t *sl_config_json(const struct sl_config *config);

/* {value, unit} of a counter. */
json_t *sl_counter_json(const struct sl_counter *counter, uint64_t value);

/* Returns one word for how a run ended. */
const char *sl_outcome(enum sl_status code, int status);

/* Writes a value, indented, with a newline at the end; drops the reference. A NULL value is SL_INTERNAL. */
enum sl_status sl_json_write(json_t *json, struct sl_output *output, struct sl_error *err);

/* Writes a value into a file by name, "-" for standard output. */
enum sl_status sl_json_save(json_t *json, const char *path, struct sl_error *err);

/* Prints the summary: a row per launch (the first ones if there are many), the total, the issue slots by stall reason,
 * host speed. */
void sl_report_print(const struct sl_report *report, FILE *file);

/* Of the summary the energy only, where it was asked for. */
void sl_report_energy(const struct sl_report *report, FILE *file);

/* Report of sampled timing, as text and as JSON: timed share, confidence interval of the estimated cycles, and drift of
 * windows with their distance from skipped execution.
 *
 * JSON: version, estimated, measure (a counter), executed and timed (of it), windows, cycles {value, bar, percent},
 * bars {counter: bar}, kernels, drifting_kernels. A bar is half of the 95 % confidence interval, null if unknown. */

/* Prints the report of a run with this many cycles in total. */
void sl_sampled_print(const struct sl_machine *machine, const struct sl_sampled *sampled, uint64_t cycles, FILE *file);

/* Half of the confidence interval in percent of the cycles; not finite: unknown. */
double sl_sampled_percent(const struct sl_machine *machine, const struct sl_sampled *sampled, uint64_t cycles);

json_t *sl_sampled_json(const struct sl_machine *machine, const struct sl_sampled *sampled, uint64_t cycles);

/* Table of a run's launches as text: kernel, cycles, instructions and the machine's other counters. */

/* Columns after launch and kernel; a value is unknown if the machine does not count it in this mode. */
struct sl_launch_column {
  const char *title; /* begins with > for a number */
  bool known;
  char text[32];
};

enum { SL_LAUNCH_COLUMNS = 7 };

void sl_launch_columns(const struct sl_figures *figures, struct sl_launch_column columns[SL_LAUNCH_COLUMNS]);

/* Prints the first launches and the total. */
void sl_launches_print(const struct sl_machine *machine, const struct sl_program *program,
                       const struct sl_launch *launches, size_t count, FILE *file);

/* Launches of a run grouped by kernel: number and cycles. */

enum { SL_KERNEL_SUMS = 32, SL_KERNEL_SUM_NAME = 64 };

struct sl_kernel_sum {
  char name[SL_KERNEL_SUM_NAME]; /* truncated if longer */
  size_t launches;
  uint64_t cycles, thread_instructions;
};

/* In the order of first launches; kernels beyond the capacity are added to the last element, "others". */
struct sl_kernel_sums {
  struct sl_kernel_sum kernel[SL_KERNEL_SUMS];
  size_t count;
};

void sl_kernel_sums(struct sl_kernel_sums *sums, const struct sl_machine *machine, const struct sl_program *program,
                    const struct sl_launch *launches, size_t count);

/* Adds a launch of the kernel with that name. */
void sl_kernel_sums_add(struct sl_kernel_sums *sums, const struct sl_machine *machine, const char *kernel,
                        const struct sl_launch *launch);

/* [{kernel, launches, cycles, thread_instrs}]; without timing the cycles are null. */
json_t *sl_kernel_sums_json(const struct sl_kernel_sums *sums);

#endif
