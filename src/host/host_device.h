/* The GPU of a host program, with what a host runtime needs around it: options of the environment, simulated time, and
 * what the options ask for: statistics of each launch, profiles, and recordings. CUDA and OpenCL are thin layers above
 * it.
 *
 * The caller holds a lock: one host thread at a time uses a device. */
#ifndef SL_HOST_HOST_DEVICE_H
#define SL_HOST_HOST_DEVICE_H

#include <stdio.h>

#include "base/error.h"
#include "base/types.h"
#include "config/config.h"
#include "device/command_queue.h"
#include "ptx/run/ptx_execute.h"

/* ---- options ----------------------------------------------------------------------------------------------------- */

/* Options of a host runtime, from environment variables: a prefix such as SIMTLAB_CUDA_, and a name of the table in
 * host_options.c. The interfaces CUDA and OpenCL share them. */
enum { SL_HOST_TEXT = 1024 };

struct sl_host_options {
  char machine[SL_HOST_TEXT]; /* preset or file; empty: the interface's default */
  char set[SL_HOST_TEXT];     /* KEY=VALUE,... */
  char mode[16];              /* "timed" or "fast" */
  char timed[SL_HOST_TEXT];   /* launches that are timed, the others run without timing: "2-5,9"; empty: as `mode` */
  char sample[SL_HOST_TEXT];  /* K[,SEED] or auto[,SEED]: samples are timed (host_observers.h); empty: all is */
  uint64_t threads;           /* host threads that simulate; 0: one */
  uint64_t max_cycles;        /* limit of a launch; 0: none */
  uint64_t log;               /* 0: errors; 1: also what is ignored, and a line per launch; 2: also each call */
  uint64_t check;             /* 1: defects of kernels are reported (host/host_observers.h); 2: also possible ones */
  uint64_t check_schedule;    /* with CHECK: a seed for the order of warps and blocks; 0: the usual order */
  uint64_t check_equal;       /* with CHECK, 1: also stores of equal values */
  uint64_t check_checkable;   /* with CHECK, 1: the compiler has left accesses where the source has them */
  uint64_t check_no_uninitialised; /* with CHECK, 1: no reads of memory that nothing has written */
  uint64_t check_barriers;         /* with CHECK, 1: also barriers behind which threads have ended */
  uint64_t check_exit;             /* exit status of a program with findings; 0: its own */
  uint64_t r2d2;                   /* 1: modules are rewritten for linear registers when they are loaded */
  char stats[SL_HOST_TEXT];        /* file of statistics; %p is the process; empty: none */
  char profile[SL_HOST_TEXT];      /* folder of profiles */
  char record[SL_HOST_TEXT];       /* folder of recorded launches */
  char trace[SL_HOST_TEXT];        /* file of a trace (host/host_observers.h) */
  char gdb[SL_HOST_TEXT];          /* folder of symbols for gdb (host/host_observers.h) */
  uint64_t gdb_port;               /* 0: any free one */
  char trace_format[SL_HOST_TEXT]; /* empty: by the file's ending */
  char trace_kernel[SL_HOST_TEXT], trace_cycles[SL_HOST_TEXT], trace_warps[SL_HOST_TEXT]; /* a part; empty: all */
  uint64_t trace_sample;
  char check_json[SL_HOST_TEXT];     /* file of findings */
  char check_suppress[SL_HOST_TEXT]; /* file with patterns of findings that are not reported */
  char energy[SL_HOST_TEXT];         /* set of energies, for the statistics */
  char regs[SL_HOST_TEXT];           /* file with registers per thread of kernels */
  char cache[SL_HOST_TEXT];          /* folder of compiled kernels; "0": none; empty: the user's (OpenCL only) */
  bool reopened;                     /* the device is opened again: statistics are appended */
  /* Receives sentences on what does not end a call. */
  void (*warn)(void *context, const char *sentence);
  void (*say)(void *context, const char *sentence); /* findings; NULL: nothing */
  void (*kill)(void *context);                      /* ends the program at gdb's command */
  void *context;
};

/* Reads the environment. `warn` gets a sentence for each variable with the prefix that is not in the table. SL_USAGE: a
 * value is wrong; the message names the variable. */
enum sl_status sl_host_options_read(struct sl_host_options *options, const char *prefix,
                                    void (*warn)(void *context, const char *sentence), void *context,
                                    struct sl_error *err);

/* Whether launch `number`, from 0, is timed. */
bool sl_host_is_timed(const struct sl_host_options *options, uint64_t number);

/* ---- services of kernels ----------------------------------------------------------------------------------------- */

/* Services of a host runtime for kernels: printf, malloc and free (ptx/run/ptx_execute.h).
 *
 * A kernel's printf puts text into a buffer, which the host prints after the launch, in the order of the calls. What
 * does not fit is dropped and counted. A kernel's malloc takes from a heap, a buffer of the GPU; a block has a power of
 * two of bytes, at least 16.
 * Source: CUDA C Programming Guide, "Formatted Output" and "Dynamic Global Memory Allocation". */

enum { SL_HOST_CLASSES = 48 }; /* sizes of blocks */

/* Addresses of free blocks of one size. */
struct sl_host_free {
  uint64_t *address;
  size_t count, room;
};

struct sl_host_services {
  struct sl_ptx_services services; /* for the options of a GPU */
  char *text;                      /* printed in this launch */
  size_t used, room;
  uint64_t dropped;    /* calls of printf that found no room */
  bool constant_texts; /* formats and texts are addresses in constant memory, as in OpenCL C */
  uint64_t first, end; /* of the heap; equal: none */
  uint64_t next;       /* begin of the part that was never used */
  uint8_t *class_at;   /* of the block that begins at a unit of the heap, plus 1; 0: none does */
  struct sl_host_free free[SL_HOST_CLASSES];
};

/* `room`: bytes that a launch can print. */
void sl_host_services_init(struct sl_host_services *services, size_t room);
void sl_host_services_free(struct sl_host_services *services);

/* Gives kernels a heap of `bytes` bytes at an address. */
enum sl_status sl_host_services_heap(struct sl_host_services *services, uint64_t first, uint64_t bytes,
                                     struct sl_error *err);

/* Saves and restores what the kernels of a launch have printed and allocated so far. */
struct sl_archive;
void sl_host_services_archive(struct sl_host_services *services, struct sl_archive *archive);

/* Formats a text as printf does, with arguments that `read` copies from a packed list. Appends it at `to`, which has
 * room for `size` bytes; returns the length that the text has or would have. A string is read by `read_text`. */
struct sl_host_arguments {
  void *context;
  bool (*read)(void *context, uint64_t offset, void *to, size_t bytes);
  bool (*read_text)(void *context, uint64_t address, uint64_t offset, char *to);
};
size_t sl_host_format(const char *format, const struct sl_host_arguments *arguments, char *to, size_t size);

/* ---- the device -------------------------------------------------------------------------------------------------- */

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
