/* The inside of a device, shared by its files: life cycle and console in device.c, programs in loader.c, the run loop
 * in run_loop.c and kernel_run.c, the host CPU's CSRs in host_csr.c. */
#ifndef SL_GPU_DEVICE_STATE_H
#define SL_GPU_DEVICE_STATE_H

#include "gpu/allocator.h"
#include "gpu/device.h"
#include "gpu/fault_text.h"
#include "gpu/host_cpu.h"

enum { SL_ANSWERS_MAX = 64 };

/* The SIMT host interface: commands to the SM and its answers, one queue. */
struct sl_host_interface {
  uint32_t code_address; /* of the next instruction memory write */
  uint32_t closure, warps_per_block;
  bool kernel_started; /* and not simulated to its end yet */
  bool kernel_running; /* of it, some has been simulated */
  uint32_t kernel_entry;
  unsigned first_answer, answer_count;
  uint32_t answer[SL_ANSWERS_MAX];
};

enum { SL_INPUT_UNREAD = -2 };

struct sl_console_input {
  int next; /* a byte already read, SL_CONSOLE_END, or SL_INPUT_UNREAD */
  uint64_t polls_after_end;
};

/* A program that was loaded. Of several with the same addresses the last one is in memory. */
struct sl_loaded {
  const struct sl_program *program;
  bool resident;
};

/* A launch without a host program. */
struct sl_direct {
  bool under_way;
  bool program_ended; /* of the host program, if there is one: what it has when the launch is over */
  struct sl_host_interface before;
  uint32_t function, closure;
  const struct sl_program *program;
  size_t first; /* number of its launch in the result */
};

/* Of a program that launches its kernels itself. Plain data. */
struct sl_spans {
  bool watched;                     /* its kernels are the launches */
  bool under_way;                   /* one is: the last launch */
  double since;                     /* seconds; spent in it from then on are not in its time yet */
  uint64_t before[SL_MAX_COUNTERS]; /* counters at its begin */
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
  const char *unsampled;  /* why its keys do not let launches be timed in part, NULL: they do */
  struct sl_host_interface interface;
  struct sl_console_input input;
  uint64_t sm_cycles; /* of all kernels so far */
  struct sl_sampler sampler;
  struct sl_sampled_kernel *sampled_kernels;
  size_t sampled_kernel_count;
  bool pauses; /* at: */
  struct sl_place pause_place;
  bool skips;                  /* the launch under way is executed without timing */
  struct sl_launch begun;      /* of it, what was when timing began within it */
  uint64_t pause_at;           /* cycles, as max_cycles counts them */
  struct sl_allocator buffers; /* and what programs take of data memory */
  struct sl_loaded *loaded;
  size_t loaded_count;
  struct sl_direct direct;
  struct sl_spans spans;
  uint32_t call;           /* address of a word that holds the entry of the kernel that is launched, 0: nobody knows */
  uint32_t call_in_rounds; /* the same of one whose blocks run in rounds, called by what `call` says; it may hold 0 */
  struct sl_fault last_fault; /* kind SL_FAULT_NONE: none since the last start */
  struct sl_result result;
  struct sl_launch *launches;
  size_t launch_capacity;
  int exit_status;               /* of a program without a host CPU */
  bool ended;                    /* the program has said so */
  bool failed_line, passed_line; /* it has printed that its self test failed, passed */
  size_t line_length;
  char line[32]; /* beginning of the console line being written */
};

/* A hash of the machine and every key's value (FNV-1a). */
uint64_t sl_configuration_hash(const struct sl_config *config);

struct sl_fault_place sl_device_place(const struct sl_device *device);

/* Writes a byte to the console. */
enum sl_status sl_device_put(struct sl_device *device, uint8_t byte, struct sl_error *err);

/* The sentence for a fault, with everything known about the place. */
enum sl_status sl_device_fault(struct sl_device *device, const struct sl_fault *fault, struct sl_error *err);

#endif
