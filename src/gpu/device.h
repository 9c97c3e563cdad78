/* A device: one SoC, that is an SM of some machine, its memory, and in most a host CPU that shares it.
 *
 * The host CPU is functional and runs the program; when it waits for the SM, the SM is simulated until its kernel has
 * ended. Without a host CPU the SM runs the program, all warps from its entry, as a single launch. Many devices can
 * live in one process; a device belongs to one thread at a time. */
#ifndef SL_GPU_DEVICE_H
#define SL_GPU_DEVICE_H

#include "config/config.h"
#include "engine/sampling.h"
#include "program/program.h"

enum { SL_CONSOLE_END = -1, SL_CONSOLE_FAILED = -1 };

/* The program's console. get returns the next input byte (0 to 255) or SL_CONSOLE_END; put returns 0, or
 * SL_CONSOLE_FAILED, which ends the run with an error. Either may be NULL: no input, output dropped. */
struct sl_console {
  void *context;
  int (*get)(void *context);
  int (*put)(void *context, uint8_t byte);
};

/* A place in a run (gpu/run_place.h). */
struct sl_place {
  enum sl_place_by {
    SL_PLACE_LAUNCH,
    SL_PLACE_KERNEL,
    SL_PLACE_INSTRUCTIONS,
  } by;
  const char *kernel; /* the first launch of this one */
  uint64_t number;    /* of the launch, from 0 on; or of warp instructions in launches */
};

/* What comes before a place is executed without timing (gpu/fast_forward.h). */
struct sl_fast_forward {
  bool wanted;
  struct sl_place to;
};

/* Launches are timed in part (gpu/sampled_launches.h). */
struct sl_sampling_choice {
  bool wanted;
  struct sl_sampling plan;
};

struct sl_device_options {
  struct sl_console console;
  struct sl_probes probes; /* what a listener is told, and may stop the run at; with no kind wanted nothing */
  /* Now and then during a run: SM cycles so far. Returns false to stop the run (SL_LIMIT). NULL: not called. */
  bool (*progress)(void *context, uint64_t cycles);
  void *progress_context;
  /* On a machine whose programs launch their kernels themselves: count the whole program as one launch, or each call
   * of the function of this name. Else its kernels are the launches. */
  bool whole_program;
  const char *region;
  bool fast; /* functional: no timing */
  struct sl_fast_forward forward;
  enum sl_tier tier; /* of it: how */
  struct sl_sampling_choice sampling;
  bool portable_lanes; /* portable build of the lane functions */
  bool lanewise;       /* execute on every lane even what one value decides */
  uint64_t threads;    /* of the host, to simulate several cores on at most; 0: one. Results do not depend on it */
  uint64_t max_cycles; /* SM cycles, host instructions counting as cycles too; 0: no limit */
};

/* One kernel launch. */
struct sl_launch {
  size_t number; /* from 0 on, as the result has it */
  uint32_t entry;
  uint32_t warps_per_block;
  bool finished; /* simulated to its end: no limit, fault or end of the program came before */
  bool succeeded;
  double host_seconds; /* spent simulating the SM */
  uint64_t counters[SL_MAX_COUNTERS];
  uint64_t estimated;  /* of its instructions: what their time is was estimated; 0: it was timed in full */
  bool untimed;        /* and none of it was timed */
  double stratum_rate; /* with them: cycles per instruction of its begin */
};

/* What a run came to whose launches were timed in part. */
struct sl_sampled {
  bool settled;             /* the rest is known, and counters are estimates */
  uint64_t progress, timed; /* by the machine's measure (struct sl_machine_sampling), and of it with timing */
  uint64_t windows, untimed_launches;
  uint64_t untimed_begins; /* launches that were timed from their begin on, after what was not */
  unsigned kernels,
      drifting; /* with estimates; and of them, those whose windows change with the distance from a skip */
  double bar[SL_MAX_COUNTERS]; /* half of the 95 % interval of a counter's sum; not finite: unknown */
};

/* What a run came to; valid until the device is destroyed. */
struct sl_result {
  int status; /* the program's own: 0 passed */
  uint64_t host_instructions;
  size_t launch_count;
  const struct sl_launch *launches;
  size_t skipped_count;     /* launches executed without timing before the first of those; */
  bool skipped_begin;       /* and the begin of the first of those */
  struct sl_launch skipped; /* of them, sums of counters and seconds */
  bool reached;             /* the launch that fast forward was to go to */
  struct sl_sampled sampled;
  double host_seconds;    /* of the whole run */
  double sm_host_seconds; /* of it, simulating the SM */
};

struct sl_device;

enum sl_status sl_device_create(const struct sl_config *config, const struct sl_device_options *options,
                                struct sl_device **device, struct sl_error *err);
void sl_device_destroy(struct sl_device *device);

/* Loads a program and its arguments; the program must outlive the device. argv[0] is the program's name, of which the
 * program sees what follows the last slash. */
enum sl_status sl_device_load(struct sl_device *device, const struct sl_program *program, int argc,
                              const char *const *argv, struct sl_error *err);

/* Loads a program whose kernels are to be launched without running it (gpu/launch.h); any number. It replaces what it
 * overlaps in memory: programs at the same addresses take turns, and one whose turn comes again has its variables as in
 * its file. */
enum sl_status sl_device_add(struct sl_device *device, const struct sl_program *program, struct sl_error *err);

/* Cycles so far, as max_cycles and sl_device_run_for count them: of kernels, and instructions of the host CPU. */
uint64_t sl_device_elapsed(const struct sl_device *device);

/* Runs to the end. SL_OK: the program ended (its own verdict is in the result's status). SL_FAULT, SL_LIMIT: see err;
 * the result holds what there was until then. SL_STOPPED: the listener of the options has returned false; the next
 * call goes on. */
enum sl_status sl_device_run(struct sl_device *device, struct sl_error *err);

/* Runs for so many more cycles, counted as for max_cycles: SL_PAUSED when the program has not ended by then. Continues
 * with the next call; what is in between does not change the outcome. */
enum sl_status sl_device_run_for(struct sl_device *device, uint64_t cycles, struct sl_error *err);

/* With these, a run pauses where the place is, too, once; and whether it has. SL_USAGE: the machine has no such places.
 */
enum sl_status sl_device_pause_at(struct sl_device *device, const struct sl_place *place, struct sl_error *err);
bool sl_device_at_place(const struct sl_device *device);

/* Saves the state of a device between two calls of sl_device_run_for, and continues it: in a device of the same
 * configuration and mode with the same program loaded, of the same build of simtlab. Console input already read is not
 * part of it. SL_USAGE: the run has ended with a fault, the file cannot be written or read, or was saved by something
 * else; a device that could not be restored must not be run. */
enum sl_status sl_device_save(const struct sl_device *device, const char *path, struct sl_error *err);
enum sl_status sl_device_restore(struct sl_device *device, const char *path, struct sl_error *err);

const struct sl_result *sl_device_result(const struct sl_device *device);

/* A sentence on what makes the run's results doubtful although it is no fault: lanes of a Vortex warp disagreed on a
 * branch, and one of them decided. False: there is nothing to say. */
bool sl_device_warning(const struct sl_device *device, char *text, size_t size);

/* FNV-1a, 64 bits, over the contents of memory; equal contents give equal hashes however memory was touched. */
uint64_t sl_device_memory_hash(const struct sl_device *device);

/* Memory as data, wrapping at 4 GiB; unwritten memory is 0. */
void sl_device_read(const struct sl_device *device, uint32_t address, void *bytes, size_t size);
void sl_device_write(struct sl_device *device, uint32_t address, const void *bytes, size_t size);

/* The SM, for those who look at its threads through the machine's interface. */
const struct sl_machine *sl_device_machine(const struct sl_device *device);
const struct sl_sm *sl_device_sm(const struct sl_device *device);
const struct sl_soc *sl_device_soc(const struct sl_device *device);

/* Sets a thread's register or program counter, between calls that run the device. False: an instruction of its warp is
 * under way; some cycles later it can be done. */
bool sl_device_set_register(struct sl_device *device, unsigned warp, unsigned lane, unsigned reg, uint32_t value);
bool sl_device_set_pc(struct sl_device *device, unsigned warp, unsigned lane, uint32_t pc);

/* Vector registers in use over the time of the last launch; NULL without one, and when the machine has no such thing.
 */
const struct sl_series *sl_device_residency(const struct sl_device *device);

/* Of the last kernel, when a listener is told that it has ended. False: the program is not one of simtlab cc, so that
 * nobody knows its blocks. */
bool sl_device_occupancy(const struct sl_device *device, struct sl_occupancy *occupancy);

/* Register 0 to 31 and program counter of the host CPU. */
uint32_t sl_device_host_register(const struct sl_device *device, unsigned reg);
uint32_t sl_device_host_pc(const struct sl_device *device);

#endif
