/* A device: one SoC, which consists of an SM of some machine, its memory, and in most machines a host CPU.
 *
 * The host CPU is functional and runs the program. While it waits for the SM, the SM is simulated until its kernel has
 * ended. Without a host CPU, the SM runs the program as a single launch, all warps from its entry. A process can have
 * many devices; a device belongs to one thread at a time. */
#ifndef SL_GPU_DEVICE_H
#define SL_GPU_DEVICE_H

#include "config/config.h"
#include "device/engine/sampling.h"
#include "program/program.h"

enum { SL_CONSOLE_END = -1, SL_CONSOLE_FAILED = -1 };

/* The program's console. get returns the next input byte (0 to 255) or SL_CONSOLE_END. put returns 0, or
 * SL_CONSOLE_FAILED, which ends the run with an error. Either may be NULL: no input, or discarded output. */
struct sl_console {
  void *context;
  int (*get)(void *context);
  int (*put)(void *context, uint8_t byte);
};

/* A place in a run (device/device_state.h). */
struct sl_place {
  enum sl_place_by {
    SL_PLACE_LAUNCH,
    SL_PLACE_KERNEL,
    SL_PLACE_INSTRUCTIONS,
  } by;
  const char *kernel; /* the first launch of this kernel */
  uint64_t number;    /* number of the launch, from 0; or number of warp instructions in launches */
};

/* Fast forward: the run up to a place executes without timing (device/device_state.h). */
struct sl_fast_forward {
  bool wanted;
  struct sl_place to;
};

/* Sampled timing of launches (device/engine/sampled_launches.h). */
struct sl_sampling_choice {
  bool wanted;
  struct sl_sampling plan;
};

/* Parses a plan of sampled timing, as --sample takes it; SL_USAGE describes the syntax. */
enum sl_status sl_choose_sampling(struct sl_sampling_choice *choice, const char *text, struct sl_error *err);

struct sl_device_options {
  struct sl_console console;
  struct sl_probes probes; /* events for an observer, which may stop the run; disabled if no event kind is set */
  /* Called periodically during a run with the SM cycles so far. Returns false to stop the run (SL_LIMIT). NULL: not
   * called. */
  bool (*progress)(void *context, uint64_t cycles);
  void *progress_context;
  /* On a machine whose programs launch their kernels themselves: the launches are its kernels by default. With
   * whole_program, the whole program is one launch. With `region`, each call of the function of this name is one. */
  bool whole_program;
  const char *region;
  bool fast;      /* functional execution without timing */
  uint64_t order; /* with `fast`: a seed for the order of warps; 0: cyclic */
  struct sl_fast_forward forward;
  enum sl_execution_mode mode; /* execution mode of the functional simulation */
  struct sl_sampling_choice sampling;
  bool portable_lanes; /* use the portable build of the lane functions */
  bool lanewise;       /* execute on every lane even if one computation suffices */
  uint64_t
      threads; /* maximum number of host threads that simulate several cores; 0: one. Results do not depend on it */
  uint64_t max_cycles; /* limit on SM cycles plus host instructions; 0: no limit */
};

/* One kernel launch. */
struct sl_launch {
  size_t number; /* number from 0, as in the result */
  uint32_t entry;
  uint32_t warps_per_block;
  bool finished; /* simulated to its end; false after a limit, fault or end of the program */
  bool succeeded;
  double host_seconds; /* spent in simulating the SM */
  uint64_t counters[SL_MAX_COUNTERS];
  uint64_t estimated;  /* number of its instructions whose time was estimated; 0: fully timed */
  bool untimed;        /* none of it was timed */
  double stratum_rate; /* for estimates: cycles per instruction at its beginning */
};

/* The result of a run with sampled timing. */
struct sl_sampled {
  bool settled;             /* the run has ended and counters are estimates */
  uint64_t progress, timed; /* the machine's progress (struct sl_machine_sampling), and the timed part of it */
  uint64_t windows, untimed_launches;
  uint64_t untimed_begins; /* launches that were timed from their beginning, after untimed ones */
  unsigned kernels,
      drifting; /* kernels with estimates, and those of them whose windows drift with the distance from a skip */
  double bar[SL_MAX_COUNTERS]; /* half of the 95 % confidence interval of a counter's sum; not finite: unknown */
};

/* The result of a run; valid until the device is destroyed. */
struct sl_result {
  int status; /* the program's exit status; 0: passed */
  uint64_t host_instructions;
  size_t launch_count;
  const struct sl_launch *launches;
  size_t skipped_count;     /* launches before the first one of `launches`, executed without timing */
  bool skipped_begin;       /* the beginning of the first launch was skipped, too */
  struct sl_launch skipped; /* of the skipped launches: sums of counters and seconds */
  bool reached;             /* fast forward reached its target launch */
  struct sl_sampled sampled;
  double host_seconds;    /* of the whole run */
  double sm_host_seconds; /* part of it spent in simulating the SM */
};

struct sl_device;

/* Layers above this one open a GPU, which creates and owns the device (sl_gpu_device in device/gpu.h). */
enum sl_status sl_device_create(const struct sl_config *config, const struct sl_device_options *options,
                                struct sl_device **device, struct sl_error *err);
void sl_device_destroy(struct sl_device *device);

/* Loads a program and its arguments. The program must outlive the device. argv[0] is the program's name; the program
 * receives the part after the last slash. */
enum sl_status sl_device_load(struct sl_device *device, const struct sl_program *program, int argc,
                              const char *const *argv, struct sl_error *err);

/* Loads a program whose kernels will be launched without running it (device/launch.h). A device takes any number of
 * programs. A program replaces programs that it overlaps in memory. A launch reloads a replaced program, with its
 * variables as in its file. */
enum sl_status sl_device_add(struct sl_device *device, const struct sl_program *program, struct sl_error *err);

/* Cycles so far, as max_cycles and sl_device_run_for count them: kernel cycles plus host CPU instructions. */
uint64_t sl_device_elapsed(const struct sl_device *device);

/* Runs to the end. SL_OK: the program ended; the result contains its exit status. SL_FAULT, SL_LIMIT: see err; the
 * result contains the counters up to then. SL_STOPPED: the observer of the options has returned false; the next call
 * resumes. */
enum sl_status sl_device_run(struct sl_device *device, struct sl_error *err);

/* Runs for at most `cycles` more cycles, counted as for max_cycles. SL_PAUSED: the program has not ended by then; the
 * next call resumes. The division into calls does not change the result. */
enum sl_status sl_device_run_for(struct sl_device *device, uint64_t cycles, struct sl_error *err);

/* Sets a place where the run pauses once, and tells whether it has. SL_USAGE: the machine has no such places. */
enum sl_status sl_device_pause_at(struct sl_device *device, const struct sl_place *place, struct sl_error *err);
bool sl_device_at_place(const struct sl_device *device);

/* Saves a device's state between two calls of sl_device_run_for, and restores it into a device. That device needs the
 * same configuration, mode and loaded program, and the same build of simtlab. Console input that has been read already
 * is not saved. SL_USAGE: the run has ended with a fault, the file cannot be written or read, or it does not match the
 * device. After a failed restore the device must not run. */
enum sl_status sl_device_save(const struct sl_device *device, const char *path, struct sl_error *err);
enum sl_status sl_device_restore(struct sl_device *device, const char *path, struct sl_error *err);

/* The same in memory, where a checkpoint is not compressed. The caller frees *bytes. */
enum sl_status sl_device_save_bytes(const struct sl_device *device, void **bytes, size_t *size, struct sl_error *err);
enum sl_status sl_device_restore_bytes(struct sl_device *device, const void *bytes, size_t size, struct sl_error *err);

const struct sl_result *sl_device_result(const struct sl_device *device);

/* Writes a non-fatal warning about the run's results as a sentence: lanes of a Vortex warp diverged at a branch that
 * one of them decided for all. Returns false if there is none. */
bool sl_device_warning(const struct sl_device *device, char *text, size_t size);

/* 64-bit FNV-1a hash of memory. Equal contents give equal hashes, independent of which pages were touched. */
uint64_t sl_device_memory_hash(const struct sl_device *device);

/* Access memory as data. Addresses wrap at 4 GiB; unwritten memory is 0. */
void sl_device_read(const struct sl_device *device, uint32_t address, void *bytes, size_t size);

/* Returns the host address of a byte, valid until the next run; reduces *size to the bytes that follow consecutively on
 * the host. NULL: out of memory. */
const uint8_t *sl_device_map(struct sl_device *device, uint32_t address, size_t *size);
void sl_device_write(struct sl_device *device, uint32_t address, const void *bytes, size_t size);

/* The SM, for inspection of its threads through the machine's interface. */
const struct sl_machine *sl_device_machine(const struct sl_device *device);
const struct sl_sm *sl_device_sm(const struct sl_device *device);

/* Calls `see` with each number of the machine's state. */
void sl_device_state_each(struct sl_device *device, void (*see)(void *context, const struct sl_value *value),
                          void *context);
const struct sl_soc *sl_device_soc(const struct sl_device *device);

/* Sets a thread's register or program counter between calls that run the device. Returns false if an instruction of its
 * warp is in flight; retry some cycles later. */
bool sl_device_set_register(struct sl_device *device, unsigned warp, unsigned lane, unsigned reg, uint32_t value);
bool sl_device_set_pc(struct sl_device *device, unsigned warp, unsigned lane, uint32_t pc);

/* Selects the event kinds that the observer of the options receives from now on. It gets none if the options selected
 * none. */
void sl_device_observe(struct sl_device *device, unsigned wanted);

/* Used vector registers over the time of the last launch; NULL without a launch or if the machine has no such
 * series. */
const struct sl_series *sl_device_residency(const struct sl_device *device);

/* Occupancy of the last kernel, when an observer is notified that it has ended. Returns false if the program was not
 * built by simtlab cc; its blocks are then unknown. */
bool sl_device_occupancy(const struct sl_device *device, struct sl_occupancy *occupancy);

/* Register 0 to 31, and program counter, of the host CPU. */
uint32_t sl_device_host_register(const struct sl_device *device, unsigned reg);
uint32_t sl_device_host_pc(const struct sl_device *device);
void sl_device_set_host_register(struct sl_device *device, unsigned reg, uint32_t value);
void sl_device_set_host_pc(struct sl_device *device, uint32_t pc);

/* The instruction at which the host CPU is; NULL: outside its program. */
const struct sl_insn *sl_device_host_instruction(const struct sl_device *device);

/* The byte at an address of a lane's stack or shared memory that is elsewhere than its address says, valid until the
 * device runs; NULL: it is in memory. */
uint8_t *sl_device_lane_byte(struct sl_device *device, unsigned warp, unsigned lane, uint32_t address);

/* A counter over several launches: the sum, or the maximum for a level (SL_COUNTER_GREATEST). */
uint64_t sl_counter_total(const struct sl_machine *machine, size_t counter, const struct sl_launch *launches,
                          size_t count);

/* Finds a counter by name; returns false if the machine has none of that name. */
bool sl_counter_find(const struct sl_machine *machine, const char *name, size_t *index);

#endif
