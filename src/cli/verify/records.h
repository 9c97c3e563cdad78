/* Recorded runs of the published RTL or its authors' simulator: programs and their counter values. */
#ifndef SL_CLI_VERIFY_RECORDS_H
#define SL_CLI_VERIFY_RECORDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config.h"

/* Comparison within bounds, for machines whose recorded cycles a model approaches but does not match exactly. Whole
 * kernels compare cycles. Micro-programs compare the slope: the cycles per iteration of the copies that program NAME_b
 * has beyond NAME_a, which excludes startup and drain. Instruction counts must be equal. */

/* Absolute differences, in percent of the recorded value. */
struct sl_bounds {
  double kernel_mean, kernel_worst; /* whole kernels' cycles: mean, and each */
  double slope_worst;               /* each slope */
  size_t kernels;                   /* fewest recorded kernels for which the bound on the mean applies */
};

struct sl_bounded_value {
  double ours, recorded;
};

enum { SL_BOUNDED_INSTRUCTIONS = 2 }; /* instructions of warps and of threads */

struct sl_bounded_run {
  const char *name;
  bool kernel; /* a whole kernel, not a micro-program */
  bool failed; /* the run failed and has no values */
  struct sl_bounded_value cycles;
  struct sl_bounded_value instructions[SL_BOUNDED_INSTRUCTIONS];
};

/* Values of one kind; worst_name is the program with the largest difference, NULL if all are equal. */
struct sl_bounded_group {
  size_t count, equal, outside;
  double mean, worst;
  const char *worst_name;
};

struct sl_bounds_verdict {
  struct sl_bounded_group kernels, slopes;
  size_t failed;     /* number of programs */
  size_t miscounted; /* programs whose instruction counts differ */
  bool holds;
};

/* Signed, in percent of the recorded value. A difference from 0 is infinite. */
double sl_bounded_difference(struct sl_bounded_value value);

/* Whether an instruction count differs. */
bool sl_bounded_miscounts(const struct sl_bounded_run *run);

/* Slope of the pair whose NAME_b is run i. Returns false if run i is not a NAME_b, or if its NAME_a is missing or
 * failed. */
bool sl_bounded_slope(const struct sl_bounded_run *run, size_t count, size_t i, struct sl_bounded_value *slope);

/* Whether all runs are within the bounds (inclusive). */
struct sl_bounds_verdict sl_bounds_judge(const struct sl_bounds *bounds, const struct sl_bounded_run *run,
                                         size_t count);

/* Reports of simtlab verify for comparisons within bounds. */

/* Prints a row per kernel, per slope and per differing instruction count; `quiet`: only those out of bounds. A summary
 * follows. `machine` and `configuration` name the simulated and the recorded machine. */
void sl_verify_bounds_print(FILE *file, const char *machine, const char *configuration, const struct sl_bounds *bounds,
                            const struct sl_bounded_run *run, size_t count, bool quiet);

/* The same as a JSON object with "bounds", "kernels", "slopes", "miscounted", "failed" and "holds". */
json_t *sl_verify_bounds_json(const struct sl_bounds *bounds, const struct sl_bounded_run *run, size_t count);

/* One program: its values, and its slope if it has one. */
json_t *sl_bounded_run_json(const struct sl_bounded_run *run, size_t count, size_t i);

/* A recorded RTL configuration and the preset that models it. */
struct sl_recording {
  const char *preset;
  const char *setting[2];         /* "KEY=VALUE" settings that the preset needs, or NULL */
  const char *configuration;      /* its name in the records */
  const char *programs;           /* program folder in reference/ */
  bool scalar_pipeline;           /* the RTL counts scalarised instructions correctly only with one */
  const struct sl_bounds *bounds; /* bounds for the cycles; NULL: all counters must be equal */
};

/* A recorded run; the records own the counters. */
struct sl_record {
  char name[64]; /* hash of the run and of the program file */
  const json_t *counters;
  bool kernel; /* with bounds: a whole kernel, not a micro-program */
};

struct sl_records {
  json_t *root;
  struct sl_record *record;
  size_t count;
};

/* All recordings, and the machine that corresponds to one. */
size_t sl_recording_count(void);
const struct sl_recording *sl_recording_at(size_t i);
enum sl_status sl_recording_open(const struct sl_recording *recording, struct sl_config *config, struct sl_error *err);

/* Counts the keys that differ and lists them with simtlab's and the recorded value. */
size_t sl_recording_differences(const struct sl_config *ours, const struct sl_config *recorded, char *text,
                                size_t size);

/* Finds the recording with the fewest differing keys. Lists those keys with simtlab's and the recorded value; "" if the
 * machines are identical. SL_USAGE if the pipeline has no recording, or only programs that the machine cannot run. */
enum sl_status sl_recording_find(const struct sl_config *config, const struct sl_recording **recording,
                                 char *differences, size_t size, struct sl_error *err);

/* Reads the runs of a configuration whose names match a shell pattern (NULL: all). */
enum sl_status sl_records_read(struct sl_records *records, const struct sl_recording *recording, const char *path,
                               const char *pattern, struct sl_error *err);
void sl_records_free(struct sl_records *records);

/* The RTL's value of a counter; false if it is not recorded. */
bool sl_record_value(const struct sl_recording *recording, const struct sl_record *record,
                     const struct sl_counter *counter, uint64_t *value);

/* Simulated and recorded values of a run with bounds: `counters` are the machine's, `ours` their values. */
struct sl_bounded_run sl_record_bounded(const struct sl_recording *recording, const struct sl_record *record,
                                        const struct sl_counters *counters, const uint64_t *ours);

/* ---- GPGPU-Sim --------------------------------------------------------------------------------------------------- */

/* simtlab verify sm7: compares runs of the recorded PTX programs with GPGPU-Sim, cycle by cycle. */

struct sl_verify_sm7 {
  const struct sl_config *config;
  const char *only, *json; /* shell pattern of names (NULL: all); output file (NULL: none) */
  uint64_t jobs;
  bool variants; /* also kernels on modified machines */
  bool quiet;    /* print only differences */
};

/* SL_CHECK_FAILED unless all recorded figures of all programs are equal. */
enum sl_status sl_verify_sm7(const struct sl_verify_sm7 *verify, struct sl_error *err);

#endif
