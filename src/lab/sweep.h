/* Runs a study on this computer: worker processes execute runs, and this process records their results.
 *
 * Whatever ends it, all runs with a spool file are recorded, then or by the next sweep; only runs under way start
 * again. A worker that a signal ends records its run as a crash, and another worker goes on; after SIGKILL, which may
 * come from outside, the run first starts once more. Runs start as far as the memory suffices. */
#ifndef SL_LAB_SWEEP_H
#define SL_LAB_SWEEP_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/sha256.h"
#include "config/config.h"
#include "host/runtimes.h"
#include "lab/process.h"
#include "lab/record.h"
#include "lab/study/study.h"

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* Hashes that name what a run depends on, and the run itself.
 *
 * A run is described by a JSON object: {machine, set [KEY=VALUE], kind "elf"|"launch"|"command"|"cuda"|"opencl", name,
 * path, folder (of the study, where commands and host programs run), library (of a host program), files [], arguments
 * [], size, seed, mode "cycle"|"fast", max-cycles, hash, task}. Its hash covers the simulator's build, the pipeline and
 * all keys of the machine in their order, the bytes of the program and its inputs, arguments, size, seed, mode and
 * cycle limit. Host, time and number of threads do not matter. Its task is the same hash with the version of the timing
 * models instead of the build. */

/* Version of the timing models. Another number means that some program may take other cycles or count other events. */
#define SL_TIMING_VERSION "timing 1"

/* Pipeline and all keys. */
void sl_config_digest(const struct sl_config *config, bool named, char digest[SL_SHA256_TEXT]);

/* The program of a run with its inputs: the file; of a launch script also its module and the contents of its buffers;
 * of a command its text and its files. */
enum sl_status sl_program_digest(const json_t *run, char digest[SL_SHA256_TEXT], struct sl_error *err);

/* The run, from the two digests and the build's, or the task, from the two digests and SL_TIMING_VERSION. */
void sl_run_hash(const json_t *run, const char *config, const char *program, const char *build,
                 char hash[SL_SHA256_TEXT]);

/* A text of an object; "" if it has none. */
const char *sl_run_text(const json_t *object, const char *name);

/* ---- plan -------------------------------------------------------------------------------------------------------- */

/* The plan: the runs of a study, its combinations that satisfy the filters, each with its hash. */

enum { SL_LIBRARY_PATH = 4096 };

/* Facts about the simulator, for the record. */
struct sl_lab_build {
  const char *version, *commit, *host;
  char hash[SL_SHA256_TEXT];                  /* of the command's own file: another build may simulate differently */
  char library[SL_RUNTIMES][SL_LIBRARY_PATH]; /* of the runtimes of host programs; "": not installed */
};

struct sl_plan_run {
  uint64_t point;
  char hash[SL_SHA256_TEXT], task[SL_SHA256_TEXT];
};

struct sl_plan {
  const struct sl_study *study;
  const struct sl_lab_build *build;
  struct sl_config *machines;                                     /* as they are without the study's keys */
  char (*programs)[SL_SHA256_TEXT];                               /* digests */
  bool *used;                                                     /* whether a run has the program */
  char **printed;                                                 /* by the programs' build commands, or NULL */
  json_t *machine_names, *program_paths, *program_files, *folder; /* absolute paths, by number */
  struct sl_plan_run *runs;
  size_t count;
};

/* Opens the machines of a study, and expands it. Between the two, the caller builds the programs that are not up to
 * date. Errors begin with FILE:LINE. Free the plan also after an error. */
enum sl_status sl_plan_open(struct sl_plan *plan, const struct sl_study *study, const struct sl_lab_build *build,
                            struct sl_error *err);
enum sl_status sl_plan_make(struct sl_plan *plan, struct sl_error *err);

void sl_plan_free(struct sl_plan *plan);

/* The description of run number i, with its hash; NULL: out of memory. */
json_t *sl_plan_json(const struct sl_plan *plan, size_t i);

/* The machine of run number i. Close it. */
enum sl_status sl_plan_config(const struct sl_plan *plan, size_t i, struct sl_config *config, struct sl_error *err);

/* A short text, "VecAdd small on simtight lanes=8"; the program's digest; its pipeline. */
void sl_plan_describe(const struct sl_plan *plan, size_t i, char *text, size_t size);
const char *sl_plan_program(const struct sl_plan *plan, size_t i);
const char *sl_plan_pipeline(const struct sl_plan *plan, size_t i);

/* ---- spool ------------------------------------------------------------------------------------------------------- */

/* The spool: a folder with one file per finished run, SPOOL/HH/HASH.json, where HASH is the run's hash and HH its first
 * two digits. Workers write it, anywhere where the folder is; one process merges it into the record. A file appears
 * when it is complete.
 *
 * A file is a JSON object: schema (1), run (as above), program {hash, path, name, toolchain}, machine {hash,
 * name, pipeline, settings, keys}, build {hash, host, version, commit}, outcome (as of simtlab run, or "crash"),
 * status, message, cycles, seconds, at (seconds since 1970), pipeline (of the counters; absent for a command), counters
 * [name] and launches [[value]]. */

enum { SL_SPOOL_PATH = 4096, SL_MESSAGE = 400 };

/* A result without outcome and counters. */
json_t *sl_result_json(const json_t *run, const struct sl_config *config, const char *program,
                       const struct sl_lab_build *build);

/* Adds how the run ended. */
void sl_result_end(json_t **result, const char *outcome, int status, const char *message, double seconds);

/* Whether the run has a file; writes one; drops the reference. `lasting`: it waits until the file is on the disk. A
 * file that a power cut has left incomplete is removed by sl_spool_merge_all. */
bool sl_spool_has(const char *spool, const char *hash);
enum sl_status sl_spool_write(const char *spool, json_t *result, bool lasting, struct sl_error *err);

/* Add the result of one run, or of its file, to the record, within a transaction. Remove the file after the commit.
 * *merged: how it ended. */
struct sl_merged {
  bool missing; /* there is no file; another sweep that merges one removes it after its commit */
  bool passed;
  double seconds;
  uint64_t megabytes;       /* that it took at most; 0: not measured */
  char message[SL_MESSAGE]; /* the beginning of it */
};
enum sl_status sl_result_merge(const json_t *result, struct sl_record *record, struct sl_merged *merged,
                               struct sl_error *err);
enum sl_status sl_spool_merge(const char *spool, const char *hash, struct sl_record *record, struct sl_merged *merged,
                              struct sl_error *err);
void sl_spool_remove(const char *spool, const char *hash);

/* Merges and removes all files; tells each one that is merged, if `tell` is not NULL. */
typedef void sl_spool_tell(void *context, const char *hash, const struct sl_merged *merged);
enum sl_status sl_spool_merge_all(const char *spool, struct sl_record *record, sl_spool_tell *tell, void *context,
                                  struct sl_error *err);

/* Removes the folders that are empty. */
void sl_spool_close(const char *spool);

/* ---- sweep ------------------------------------------------------------------------------------------------------- */

enum { SL_SWEEP_NAME = 160, SL_SWEEP_JOBS_MOST = 1024 };

struct sl_sweep_state {
  uint64_t runs;                  /* of the study */
  uint64_t recorded;              /* that were recorded before */
  uint64_t elsewhere;             /* that other processes run */
  uint64_t done, failed, running; /* done includes failed */
  unsigned workers;
  double seconds;   /* since the start */
  double busy;      /* seconds of all runs done */
  double remaining; /* estimated seconds to go; below 0: unknown */
  double slowest;   /* seconds of the slowest run, and its description */
  char slowest_run[SL_SWEEP_NAME];
  char failure[SL_SWEEP_NAME + SL_MESSAGE + 4]; /* of the first run that has failed */
};

struct sl_sweep_options {
  const char *spool;
  const char *const *worker; /* the command of a worker, ending with NULL */
  unsigned jobs;
  uint64_t megabytes; /* of all runs together; 0: what the computer has */
  bool again;         /* also runs that have failed */
  bool any_build;     /* runs that have passed on another build of simtlab count as recorded */
  /* Called several times per second. False: end the sweep. */
  bool (*tick)(void *context, const struct sl_sweep_state *state);
  void *context;
};

/* State of a run of the plan. */
enum sl_status sl_sweep_find(const struct sl_plan *plan, struct sl_record *record, size_t run, bool any_build,
                             enum sl_recorded *state, struct sl_error *err);

/* What a sweep would do: runs that are new, and the seconds that runs of the same programs and pipelines took. */
struct sl_sweep_estimate {
  uint64_t runs, recorded, elsewhere, to_run;
  uint64_t timed; /* of those to run: with a recorded time */
  double seconds; /* of the timed ones, one after another */
};
enum sl_status sl_sweep_estimate(const struct sl_plan *plan, struct sl_record *record, bool again, bool any_build,
                                 struct sl_sweep_estimate *estimate, struct sl_error *err);

/* Mean seconds of the recorded runs of a run's program and machine, each pair asked for once; below 0: unknown. Free
 * `seconds`. */
struct sl_sweep_times {
  double *seconds; /* below -1: not asked for yet */
  uint64_t machines;
};
enum sl_status sl_sweep_times_open(struct sl_sweep_times *times, const struct sl_plan *plan, struct sl_error *err);
double sl_sweep_time(struct sl_sweep_times *times, const struct sl_plan *plan, struct sl_record *record, size_t run);

/* Counts a run that is recorded. Writes the spool file of a run that has no result of its own. */
void sl_sweep_note(struct sl_sweep_state *state, const struct sl_plan *plan, size_t run,
                   const struct sl_merged *merged);
enum sl_status sl_sweep_end_run(const struct sl_plan *plan, const char *spool, size_t run, const char *outcome,
                                int status, const char *message, struct sl_error *err);

/* Runs what is not recorded. SL_STOPPED: `tick` has ended it. */
enum sl_status sl_sweep(const struct sl_plan *plan, struct sl_record *record, const struct sl_sweep_options *options,
                        struct sl_sweep_state *state, struct sl_error *err);

/* Admits runs by memory: a run starts if what the computer has left, less what the runs under way will still take, is
 * as much as the run needs. What a run needs is what runs of its program have been measured to take at most in this
 * sweep, on its machine or, before one has ended there, on others. */

/* All in megabytes. */
struct sl_memory_room {
  const struct sl_plan *plan;
  struct sl_record *record;
  uint64_t limit; /* of all runs together; 0: none */
  uint64_t *peak; /* by program and machine; 0: unknown */
  double looked;  /* when the computer was last asked */
  bool *asked;    /* the record, by program and machine */
  int64_t left;   /* for runs that start */
};

enum sl_status sl_memory_room_open(struct sl_memory_room *room, const struct sl_plan *plan, struct sl_record *record,
                                   uint64_t limit, struct sl_error *err);
void sl_memory_room_close(struct sl_memory_room *room);

/* Asks the computer, twice per second. */
void sl_memory_room_look(struct sl_memory_room *room, const struct sl_worker_process *workers, unsigned count);

/* Reserves memory for a run of a worker. False: there is too little; `alone`, without other runs, there is always
 * enough. */
bool sl_memory_room_take(struct sl_memory_room *room, struct sl_worker_process *worker, size_t run, bool alone);

/* A run has ended that took so much at most; 0: it was not measured, because it was too short to take much. */
void sl_memory_room_learn(struct sl_memory_room *room, size_t run, uint64_t megabytes);

/* A worker without runs gives back its reservation. */
void sl_memory_room_give(struct sl_memory_room *room, struct sl_worker_process *worker);

/* Of this process and those that it has started, since the last call: the most that it has taken. */
uint64_t sl_memory_taken(void);

/* A worker: reads descriptions of runs, one per line, executes those that the spool does not have, and
 * writes a spool file for each. A worker on another computer reads its lines from a file; the spool is all that it
 * shares. For each run that has a file it writes the line "done HASH"; if it cannot go on, "stop SENTENCE". For a run
 * of less than SL_QUICK_RUN seconds, a worker on this computer writes the line "data RESULT" and no
 * file: that is faster, and if the sweep is killed the run starts again. */

#define SL_QUICK_RUN 0.02

/* `lasting`: as of sl_spool_write. */
enum sl_status sl_work(FILE *in, FILE *out, const char *spool, bool lasting, const struct sl_lab_build *build,
                       struct sl_error *err);

/* Results on the pipe from a worker: KEYS <tab> NAMES <tab> RESULT, the keys of the machine as JSON, the names of the
 * counters with blanks, and the rest of the result. The sweep reads keys and names only where they are new. */

/* The names of the counters of the last result, as it had them and as a list. */
struct sl_counter_names {
  char *text;
  json_t *list;
};

/* Reads a line; the keys remain a text. NULL: it is not whole. */
json_t *sl_result_take(const char *line, struct sl_counter_names *names);
void sl_counter_names_free(struct sl_counter_names *names);

#endif
