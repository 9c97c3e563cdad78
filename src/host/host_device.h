/* The GPU of a host program, with what a host runtime needs around it: options of the environment, simulated time, and
 * what the options ask for: statistics of each launch, profiles, and recordings. CUDA and OpenCL are thin layers above
 * it.
 *
 * The caller holds a lock: one host thread at a time uses a device. */
#ifndef SL_HOST_HOST_DEVICE_H
#define SL_HOST_HOST_DEVICE_H

#include <stdio.h>

#include "config/energy_set.h"
#include "device/command_queue.h"
#include "host/host_options.h"
#include "host/host_services.h"

struct sl_host_check;
struct sl_host_profile;
struct sl_host_recorder;
struct sl_host_trace;
struct sl_host_gdb;

/* Registers per thread of a kernel, from the file of the option REGS. */
struct sl_host_registers {
  char *kernel;
  uint32_t registers;
};

struct sl_host_device {
  struct sl_host_options options;
  struct sl_config config;
  struct sl_gpu *gpu;
  struct sl_timeline *timeline;
  struct sl_host_services services;
  void (*print)(const char *text, size_t size); /* prints what kernels have printed; NULL: nothing does */
  struct sl_gpu_facts facts;
  FILE *stats;
  uint64_t launches;            /* launched so far */
  uint64_t timed;               /* of them */
  uint64_t kernel_picoseconds;  /* simulated time of all */
  struct sl_energy_set *energy; /* NULL: not wanted */
  struct sl_host_registers *registers;
  size_t register_count;
  struct sl_host_profile *profile;    /* NULL: not wanted */
  struct sl_host_check *check;        /* NULL: not wanted */
  struct sl_host_recorder *recorder;  /* NULL: not wanted */
  struct sl_host_trace *trace;        /* NULL: not wanted */
  struct sl_host_gdb *gdb;            /* NULL: not wanted */
  struct sl_sampling_choice sampling; /* within launches */
  uint64_t first_launches;            /* of each cluster, which are timed; 0: all are */
  bool own_barriers;                  /* of the next launch: the checker does not see its barriers */
  int exit_status;                    /* of the program, when it is known */
  size_t findings;                    /* of the checker, when the device has been closed */
  unsigned modules;                   /* loaded so far */
};

/* Opens the machine that the options name, else `machine`. `print_room`: bytes that a launch can print. Close the
 * device also after an error. SL_USAGE: the machine or a key is wrong, or it launches no kernels. */
enum sl_status sl_host_open(struct sl_host_device *device, const struct sl_host_options *options, const char *machine,
                            size_t print_room, struct sl_error *err);

/* Gives kernels a heap, once. */
enum sl_status sl_host_make_heap(struct sl_host_device *device, uint64_t bytes, struct sl_error *err);

/* Writes the totals and the profiles, and closes it. */
void sl_host_close(struct sl_host_device *device);

/* A module's code: PTX text, or a program for machine code; and the source, if the runtime has compiled it. */
struct sl_host_code {
  const char *text;
  size_t length;
  const char *source; /* NULL: none */
};

/* Loads a module. With the option R2D2 the kernels of PTX gain variants with linear registers first. */
enum sl_status sl_host_load(struct sl_host_device *device, const char *name, const struct sl_host_code *code,
                            struct sl_gpu_module **module, struct sl_error *err);

/* Performs a launch in a queue. *event (may be NULL) receives its event. SL_USAGE: the launch is refused. SL_FAULT and
 * SL_LIMIT: it has ended so; sl_gpu_last_fault has the details, and the device takes further commands. */
enum sl_status sl_host_launch(struct sl_host_device *device, struct sl_queue *queue, const struct sl_gpu_launch *launch,
                              struct sl_event *const *waits, size_t wait_count, struct sl_event **event,
                              struct sl_error *err);

#endif
