/* Recorded runs of the published RTL or its authors' simulator: programs and their counter values. */
#ifndef SL_CLI_RECORDS_H
#define SL_CLI_RECORDS_H

#include <jansson.h>

#include "cli/verify/bounds.h"
#include "config/config.h"

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

#endif
