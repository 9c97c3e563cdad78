/* Cache file of a finished run: its counters, with a key that identifies the run. Runs with equal keys have equal
 * counters, so a saved run replaces a new one. A damaged file or one with another key is ignored.
 *
 * The file is JSON (schema 2): schema, key {simtlab (version), build, machine {name, pipeline, keys}, benchmark, size,
 * isa, program (hash), optionally sample (a plan)}, launches, samples, counters {name: value}, optionally region
 * {cycles, thread_instrs, flops} or sampled {executed, timed, windows, bar of cycles, as text}, and a checksum of the
 * rest (XXH3, 64 bits), which detects modified records. */
#ifndef SL_OBSERVE_SAVED_RUN_H
#define SL_OBSERVE_SAVED_RUN_H

#include <jansson.h>

#include "config/config.h"

/* Key of a run: program, machine, simulator. */
struct sl_run_key {
  const char *version;
  uint64_t build; /* hash of the command's own file: another build may simulate differently */
  const struct sl_config *config;
  const char *benchmark, *size, *isa;
  uint64_t program;   /* its hash */
  const char *sample; /* sampling plan of partly timed launches; NULL: full timing */
};

struct sl_saved_run {
  uint64_t launches, samples;
  /* Of programs that measure a region themselves, the program's own numbers; stored if cycles is not 0. */
  struct {
    uint64_t cycles, thread_instrs, flops;
  } region;
  struct sl_saved_samples {
    uint64_t executed, timed, windows; /* as struct sl_sampled has them */
    double bar;                        /* of cycles; not finite: unknown */
  } timed_part;                        /* of runs whose key has a sampling plan */
  bool changed; /* checksum error: this function wrote the file, but it was modified; it is ignored */
  uint64_t counters[SL_MAX_COUNTERS]; /* of the key's machine, over all launches */
};

/* Reads a run with that key; false if the file has none. */
bool sl_saved_run_read(struct sl_saved_run *run, const struct sl_run_key *key, const char *path);

/* Writes a run. */
enum sl_status sl_saved_run_write(const struct sl_saved_run *run, const struct sl_run_key *key, const char *path,
                                  struct sl_error *err);

#endif
