/* Options of a host runtime, from environment variables: a prefix such as SIMTLAB_CUDA_, and a name of the table in
 * host_options.c. The interfaces CUDA and OpenCL share them. */
#ifndef SL_HOST_HOST_OPTIONS_H
#define SL_HOST_HOST_OPTIONS_H

#include "base/error.h"
#include "base/types.h"

enum { SL_HOST_TEXT = 1024 };

struct sl_host_options {
  char machine[SL_HOST_TEXT]; /* preset or file; empty: the interface's default */
  char set[SL_HOST_TEXT];     /* KEY=VALUE,... */
  char mode[16];              /* "timed" or "fast" */
  char timed[SL_HOST_TEXT];   /* launches that are timed, the others run without timing: "2-5,9"; empty: as `mode` */
  char sample[SL_HOST_TEXT];  /* K[,SEED] or auto[,SEED]: samples are timed (host_sample.h); empty: all is */
  uint64_t threads;           /* host threads that simulate; 0: one */
  uint64_t max_cycles;        /* limit of a launch; 0: none */
  uint64_t log;               /* 0: errors; 1: also what is ignored, and a line per launch; 2: also each call */
  uint64_t check;             /* 1: defects of kernels are reported (host/host_check.h); 2: also possible ones */
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
  char trace[SL_HOST_TEXT];        /* file of a trace (host/host_trace.h) */
  char gdb[SL_HOST_TEXT];          /* folder of symbols for gdb (host/host_gdb.h) */
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

#endif
