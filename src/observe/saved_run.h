/* A finished run kept in a file: its counters, under a key that says what it was a run of. Runs of equal keys have
 * equal counters, so a kept one stands for a new one; a file that is damaged or of another key is none.
 *
 * The file is JSON (schema 2): schema, key {simtlab (version), build, machine {name, pipeline, keys}, benchmark, size,
 * isa, program (hash), of some sample (a plan)}, launches, samples, counters {name: value}, of some region {cycles,
 * thread_instrs, flops} or sampled {executed, timed, windows, bar of cycles, as text}, and a checksum of the rest
 * (XXH3, 64 bits), by which a record that someone has changed is noticed. */
#ifndef SL_OBSERVE_SAVED_RUN_H
#define SL_OBSERVE_SAVED_RUN_H

#include <jansson.h>

#include "config/config.h"

/* What was run, on what, by what. */
struct sl_run_key {
  const char *version;
  uint64_t build; /* hash of the command's own file: another build may simulate otherwise */
  const struct sl_config *config;
  const char *benchmark, *size, *isa;
  uint64_t program;   /* its hash */
  const char *sample; /* the plan by which launches were timed in part; NULL: they were not */
};

struct sl_saved_run {
  uint64_t launches, samples;
  /* Of programs that measure a part of themselves, what they say of it: kept if cycles is not 0. */
  struct {
    uint64_t cycles, thread_instrs, flops;
  } region;
  struct sl_saved_samples {
    uint64_t executed, timed, windows; /* as struct sl_sampled has them */
    double bar;                        /* of cycles; not finite: unknown */
  } timed_part;                        /* of runs whose key has a plan */
  bool changed;                        /* the file was written by this function, and changed since: it is none */
  uint64_t counters[SL_MAX_COUNTERS];  /* of the key's machine, over all launches */
};

/* The key as JSON, NULL without memory. */
json_t *sl_run_key_json(const struct sl_run_key *key);

/* Reads a run of that key; false when the file has none. */
bool sl_saved_run_read(struct sl_saved_run *run, const struct sl_run_key *key, const char *path);

/* Keeps a run. */
enum sl_status sl_saved_run_write(const struct sl_saved_run *run, const struct sl_run_key *key, const char *path,
                                  struct sl_error *err);

#endif
