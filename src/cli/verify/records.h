/* Recorded runs of the published RTL, or of its authors' simulator: programs and what counters read after each. */
#ifndef SL_CLI_RECORDS_H
#define SL_CLI_RECORDS_H

#include <jansson.h>

#include "cli/verify/bounds.h"
#include "config/config.h"

/* A configuration of the RTL that was recorded, and the preset that is the same machine. */
struct sl_recording {
  const char *preset;
  const char *setting[2];         /* "KEY=VALUE" that make the preset so, or NULL */
  const char *configuration;      /* its name in the records */
  const char *programs;           /* the folder of the programs, in reference/ */
  bool scalar_pipeline;           /* only with one does the RTL count scalarised instructions properly */
  const struct sl_bounds *bounds; /* of what must be near rather than equal: the cycles; NULL: all is to be equal */
};

/* A recorded run; the counters belong to the records. */
struct sl_record {
  char name[64]; /* of the run, and of the program's file */
  const json_t *counters;
  bool kernel; /* with bounds: a whole kernel, not a micro-program */
};

struct sl_records {
  json_t *root;
  struct sl_record *record;
  size_t count;
};

/* All recordings, and the machine that one was made of. */
size_t sl_recording_count(void);
const struct sl_recording *sl_recording_at(size_t i);
enum sl_status sl_recording_open(const struct sl_recording *recording, struct sl_config *config, struct sl_error *err);

/* How many keys differ, and a list of them with our and the recorded value. */
size_t sl_recording_differences(const struct sl_config *ours, const struct sl_config *recorded, char *text,
                                size_t size);

/* The recording nearest to a configuration (fewest keys that differ), and a list of the differing keys with our and the
 * recorded value, "" when it is the same machine. SL_USAGE when nothing is recorded for that pipeline, or only programs
 * that the machine cannot run. */
enum sl_status sl_recording_find(const struct sl_config *config, const struct sl_recording **recording,
                                 char *differences, size_t size, struct sl_error *err);

/* Reads the runs of a configuration whose name matches a shell pattern (NULL: all). */
enum sl_status sl_records_read(struct sl_records *records, const struct sl_recording *recording, const char *path,
                               const char *pattern, struct sl_error *err);
void sl_records_free(struct sl_records *records);

/* What the RTL read for a counter; false when the records say nothing about it. */
bool sl_record_value(const struct sl_recording *recording, const struct sl_record *record,
                     const struct sl_counter *counter, uint64_t *value);

/* Ours and the recorded values of a run with bounds: `counters` are the machine's, and `ours` what they read. */
struct sl_bounded_run sl_record_bounded(const struct sl_recording *recording, const struct sl_record *record,
                                        const struct sl_counters *counters, const uint64_t *ours);

#endif
