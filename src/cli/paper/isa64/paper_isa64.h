/* Reproduces section 4 of R. R. Yan and S. Anand, "Redesigning the Vortex GPU ISA: 64-Bit Instruction Words and
 * Conflict-Aware Register Allocation". It adds larger tiles, other divisions into saved and temporary registers, and
 * timing on a pipeline. The programs are compiled by this command. The programs of bench-isa64/ have no runtime and run
 * on the paper's emulator; the report fills their buffers and checks their results through device memory. The programs
 * of bench-vortex/ run on the Vortex pipeline and check themselves. */
#ifndef SL_CLI_PAPER_ISA64_H
#define SL_CLI_PAPER_ISA64_H

#include "cli/bench/bench.h"
#include "cli/paper/paper.h"

/* The parts that --only selects. */
enum sl_isa64_part {
  SL_ISA64_VECADD,
  SL_ISA64_GEMM,
  SL_ISA64_TILES,
  SL_ISA64_CALLS,
  SL_ISA64_KERNELS, /* the following are from bench-vortex/ */
  SL_ISA64_PARTS = SL_ISA64_KERNELS + 7
};

extern const char *const sl_isa64_parts[SL_ISA64_PARTS];

/* The stock compiler's code for 32 registers, and the allocations for more registers. */
enum sl_isa64_compiler { SL_ISA64_STOCK, SL_ISA64_UNAWARE, SL_ISA64_FIRST_FIT, SL_ISA64_COST, SL_ISA64_COMPILERS };

extern const char *const sl_isa64_compilers[SL_ISA64_COMPILERS];

/* Values of a parameter for --size paper and for --size small. */
enum { SL_ISA64_STEPS = 8 };
struct sl_isa64_range {
  const unsigned *value;
  size_t count;
};

struct sl_isa64_ranges {
  struct sl_isa64_range tiles, saved, registers, banks;
};

enum {
  SL_ISA64_USUAL_REGISTERS = 128,
  SL_ISA64_USUAL_BANKS = 4,
  SL_ISA64_USUAL_SAVED = 48,
  SL_ISA64_DEPTH = 64 /* size of every matrix product */
};

/* A tile has `tile` x `tile` elements. The result of gemm has 8 x 8 tiles, the paper's 16 x 16. */
enum { SL_ISA64_TILES_ACROSS = 8, SL_ISA64_PAPER_TILE = 4, SL_ISA64_PAPER_SIZE = 64 };

struct sl_isa64_program {
  char name[48];
  enum sl_isa64_part part;
  enum sl_isa64_compiler compiler;
  const char *source; /* relative path for sl_find_data() */
  unsigned tile, size;
  bool floats;
  unsigned registers, banks;
  const char *saved; /* value of --saved; NULL: the default */
  /* Valid after compilation. */
  struct sl_program *program;
  unsigned instructions, conflicts; /* in the file; conflicts as Table 1 counts them */
};

enum sl_isa64_machine {
  SL_ISA64_EMULATOR, /* the paper's machine: the first warp that returns ends the run */
  SL_ISA64_TO_END,   /* the same, but the run ends when all warps have returned */
  SL_ISA64_WIDE,     /* vortex64 with each number of registers and banks */
  SL_ISA64_RV32 = SL_ISA64_WIDE + SL_ISA64_STEPS * SL_ISA64_STEPS, /* vortex with each number of banks */
  SL_ISA64_MACHINES = SL_ISA64_RV32 + SL_ISA64_STEPS
};

enum { SL_ISA64_PROGRAMS_MOST = 512, SL_ISA64_RUNS_MOST = 512, SL_ISA64_RV32_PROGRAM = SL_ISA64_PROGRAMS_MOST };

struct sl_isa64_run {
  char name[48];
  enum sl_isa64_part part;
  size_t program; /* or SL_ISA64_RV32_PROGRAM: the kernel's plain variant from the build */
  size_t machine; /* index of the machine, from enum sl_isa64_machine */
  enum sl_status code;
  struct sl_error error;
  uint64_t counters[SL_MAX_COUNTERS]; /* on vortex and vortex64, counts of the kernel only */
};

struct sl_isa64_runs {
  const struct sl_paper *paper;
  const struct sl_paper_order *order;
  bool small, chosen[SL_ISA64_PARTS];
  struct sl_isa64_ranges ranges;
  struct sl_config machines[SL_ISA64_MACHINES]; /* machine == NULL: unused */
  struct sl_isa64_program programs[SL_ISA64_PROGRAMS_MOST];
  struct sl_isa64_run runs[SL_ISA64_RUNS_MOST];
  size_t program_count, count, reused;
  uint64_t build; /* hash of the command */
};

/* Lists the programs and runs of the chosen parts, and opens the machines. */
enum sl_status sl_isa64_plan(struct sl_isa64_runs *runs, struct sl_error *err);

/* The callee-saved registers from 32 on for a given number of them, for example "48-79". */
const char *sl_isa64_saved_list(unsigned saved);

/* Compiles missing programs into programs/ of the folder, and loads all. Returns the first error. */
enum sl_status sl_isa64_compile(struct sl_isa64_runs *runs, struct sl_error *err);

/* Fill the input buffers of a bare program before its run, and check its results; SL_CHECK_FAILED if they are wrong. */
void sl_isa64_fill(struct sl_device *device, const struct sl_isa64_program *program);
enum sl_status sl_isa64_check(const struct sl_device *device, const struct sl_isa64_program *program,
                              struct sl_error *err);

/* Simulates the runs that the folder does not have. A failed run is recorded only in its place. */
enum sl_status sl_isa64_run(struct sl_isa64_runs *runs, struct sl_error *err);

/* Prints the errors of failed runs to standard error; returns the worst code. */
enum sl_status sl_isa64_print_failures(const struct sl_isa64_runs *runs);

void sl_isa64_free(struct sl_isa64_runs *runs);

/* Finds a run by its printf-formatted name, such as "gemm-cost"; NULL if it was not chosen. */
const struct sl_isa64_run *sl_isa64_find(const struct sl_isa64_runs *runs, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A counter of a run; 0 if its machine does not have it, or if the run is NULL. */
uint64_t sl_isa64_counter(const struct sl_isa64_runs *runs, const struct sl_isa64_run *run, const char *name);

#endif
