/* Internals of a device, shared by its files: device.c has life cycle and console, loader.c programs, run_loop.c the
 * run loop and the host CPU's CSRs, kernel_run.c kernels, launch_record.c records of launches. */
#ifndef SL_GPU_DEVICE_STATE_H
#define SL_GPU_DEVICE_STATE_H

#include "device/device.h"
#include "device/fault_text.h"
#include "device/host_cpu.h"
#include "mem/allocator.h"

enum { SL_ANSWERS_MAX = 64 };

/* The SIMT host interface: commands to the SM, and a queue of its answers. */
struct sl_host_interface {
  uint32_t code_address; /* of the next write to instruction memory */
  uint32_t closure, warps_per_block;
  bool kernel_started; /* started and not yet simulated to its end */
  bool kernel_running; /* partly simulated */
  uint32_t kernel_entry;
  unsigned first_answer, answer_count;
  uint32_t answer[SL_ANSWERS_MAX];
};

enum { SL_INPUT_UNREAD = -2 };

struct sl_console_input {
  int next; /* a byte read ahead, SL_CONSOLE_END, or SL_INPUT_UNREAD */
  uint64_t polls_after_end;
};

/* A loaded program. Of several programs with the same addresses the last one is in memory. */
struct sl_loaded {
  const struct sl_program *program;
  bool resident;
};

/* A launch without a host program. */
struct sl_direct {
  bool under_way;
  bool program_ended; /* host interface and program state of the host program, restored after the launch */
  struct sl_host_interface before;
  uint32_t function, closure;
  const struct sl_program *program;
  size_t first; /* number of the launch in the result */
};

/* Launches of a program that launches its kernels itself. Plain data. */
struct sl_spans {
  bool watched;                     /* the program's kernels are the launches */
  bool under_way;                   /* a launch is in progress: the last one */
  double since;                     /* host time in seconds; the time from then on is not yet counted */
  uint64_t before[SL_MAX_COUNTERS]; /* counters at its start */
};

struct sl_device {
  const struct sl_machine *machine;
  char name[64];
  struct sl_device_options options;
  const struct sl_program *program;
  struct sl_memory memory;
  struct sl_host host;
  struct sl_sm *sm;
  struct sl_soc soc;
  uint64_t configuration; /* hash */
  const char *unsampled;  /* reason why the keys prevent sampled timing; NULL: they allow it */
  struct sl_host_interface interface;
  struct sl_console_input input;
  uint64_t sm_cycles; /* of all kernels so far */
  struct sl_sampler sampler;
  struct sl_sampled_kernel *sampled_kernels;
  size_t sampled_kernel_count;
  struct sl_launch_sampler *launch_sampler; /* of a machine that samples whole launches, after the first */
  bool untimed;                             /* the current launch is not in its sample */
  struct sl_block_sampler *block_sampler;   /* of a machine that samples blocks; NULL: whole launches are timed */
  bool pauses;                              /* pause at pause_place */
  struct sl_place pause_place;
  bool skips;                  /* the current launch executes without timing */
  struct sl_launch begun;      /* the state of that launch when timing started within it */
  uint64_t pause_at;           /* in cycles as max_cycles counts them */
  struct sl_allocator buffers; /* buffers, and the data memory that programs use */
  struct sl_loaded *loaded;
  size_t loaded_count;
  struct sl_direct direct;
  struct sl_spans spans;
  uint32_t call;           /* address of a word that holds the entry of the launched kernel; 0: unknown */
  uint32_t call_in_rounds; /* the same for a kernel whose blocks run in rounds, which the function of `call` calls; the
                              word may hold 0 */
  struct sl_fault last_fault; /* kind SL_FAULT_NONE: none since the latest start */
  struct sl_result result;
  struct sl_launch *launches;
  int exit_status;               /* of a program without a host CPU */
  bool ended;                    /* the program has announced its end */
  bool failed_line, passed_line; /* the program has printed that its self-test failed, passed */
  size_t line_length;
  char line[32]; /* beginning of the current console line */
};

/* A hash of the machine and the values of all keys (FNV-1a). */
uint64_t sl_configuration_hash(const struct sl_config *config);

struct sl_fault_place sl_device_place(const struct sl_device *device);

/* Writes a byte to the console. */
enum sl_status sl_device_put(struct sl_device *device, uint8_t byte, struct sl_error *err);

/* Reports a fault as a sentence with all that is known of its place. */
enum sl_status sl_device_fault(struct sl_device *device, const struct sl_fault *fault, struct sl_error *err);

/* ---- kernel_run.c ------------------------------------------------------------------------------------------------ */

/* Simulates a device's SM to the end of a kernel, in time slices. Limits, pauses and the progress function are checked
 * between slices. */

/* Simulates the started kernel to its end and queues its answer. */
enum sl_status sl_device_run_kernel(struct sl_device *device, struct sl_error *err);

/* SL_INTERNAL: the allocation of a page of simulated memory failed, and stores to it are lost. */
enum sl_status sl_device_check_memory(const struct sl_device *device, struct sl_error *err);

/* Calls the progress function. SL_LIMIT: it stops the run. */
enum sl_status sl_device_progress(const struct sl_device *device, struct sl_error *err);

/* The part of a slice that may be spent before the user's limit or the pause. */
uint64_t sl_device_budget(const struct sl_device *device, uint64_t slice);

/* The status at the end of that budget: SL_PAUSED at the caller's pause, SL_LIMIT at the limit. */
enum sl_status sl_device_stop(struct sl_device *device, struct sl_error *err);

/* ---- loader.c ---------------------------------------------------------------------------------------------------- */

/* Reloads a program that another one with the same addresses has replaced, with its variables as in its file. */
enum sl_status sl_device_make_resident(struct sl_device *device, const struct sl_program *program,
                                       struct sl_error *err);

/* The resident program with code at an address, or NULL. */
const struct sl_program *sl_device_program_at(const struct sl_device *device, uint32_t address);

/* ---- launch_record.c: launches in the result, places in a run, fast forward -------------------------------------- */

/* Append a launch that starts now (NULL: out of memory), and end the last one. Both notify observers. */
struct sl_launch *sl_device_new_launch(struct sl_device *device, uint32_t entry);
void sl_device_tell_ended(struct sl_device *device);

/* Host time in seconds. */
double sl_device_seconds(void);

/* A place in a run of a program that launches kernels: the start of a launch, chosen by kernel or number, or a number
 * of warp instructions in launches. Fast forward ends at a place, and a run pauses at one for a
 * checkpoint. */

/* Checks a launch that is about to start. Returns true if the run pauses before it, or, for a program that launches it
 * itself, now. */
bool sl_place_pauses(struct sl_device *device, uint32_t entry);

/* Number of instructions until the next check of whether the run pauses; and that check. */
uint64_t sl_place_left(const struct sl_device *device);
bool sl_place_reached(struct sl_device *device);

/* Fast forward: the first launches of a run execute without timing, and those from a chosen one on with timing.
 *
 * The mode changes at the start of a launch, when no operation is in flight on the SM. It changes after a number of
 * instructions, or within programs that launch their own kernels, only if the machine supports timing from the middle
 * of a launch (struct sl_machine_sampling). The result's launches exclude skipped ones, whose cycles are unknown; their
 * counters are summed separately. */

/* SL_USAGE: the whole program is one launch, or the machine does not support it. */
enum sl_status sl_forward_check(const struct sl_device *device, struct sl_error *err);

/* Starts a program that launches its kernels itself: the code before them is not timed. */
void sl_forward_outside(struct sl_device *device);

/* Starts a launch and decides whether it executes without timing. */
void sl_forward_begin(struct sl_device *device, uint32_t entry);

/* Number of instructions until the next check of whether to continue without timing. */
uint64_t sl_forward_left(const struct sl_device *device);

/* Performs that check: the launch is timed from here on if its last untimed instruction has executed. */
void sl_forward_look(struct sl_device *device);

/* Ends the launch whose beginning was skipped; only its timed part stays in it. */
void sl_forward_settle(struct sl_device *device, struct sl_launch *launch);

/* Adds the untimed part of the last launch to the skipped sums. */
void sl_forward_take(struct sl_device *device);

/* Checks a program that has ended. SL_USAGE: the chosen launch did not occur. */
enum sl_status sl_forward_ended(const struct sl_device *device, struct sl_error *err);

#endif
