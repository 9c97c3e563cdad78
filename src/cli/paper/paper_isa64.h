/* Reproduces section 4 of R. R. Yan and S. Anand, "Redesigning the Vortex GPU ISA: 64-Bit Instruction Words and
 * Conflict-Aware Register Allocation". It adds larger tiles, other divisions into saved and temporary registers, and
 * timing on a pipeline. The programs are compiled by this command. The programs of bench-isa64/ have no runtime and run
 * on the paper's emulator; the report fills their buffers and checks their results through device memory. The programs
 * of bench-vortex/ run on the Vortex pipeline and check themselves. */
#ifndef SL_CLI_PAPER_ISA64_H
#define SL_CLI_PAPER_ISA64_H

#include "cli/paper/paper_report.h"

/* The parts that --only selects. */
enum sl_isa64_part {
  SL_ISA64_VECADD,
  SL_ISA64_GEMM,
  SL_ISA64_TILES,
  SL_ISA64_CALLS,
  SL_ISA64_KERNELS, /* the following are from bench-vortex/ */
  SL_ISA64_PARTS = SL_ISA64_KERNELS + 7
};

extern const char *const sl_isa64_parts[SL_ISA64_PARTS + 1];

/* The stock compiler's code for 32 registers, and the allocations for more registers. */
enum sl_isa64_compiler { SL_ISA64_STOCK, SL_ISA64_UNAWARE, SL_ISA64_FIRST_FIT, SL_ISA64_COST, SL_ISA64_COMPILERS };

extern const char *const sl_isa64_compilers[SL_ISA64_COMPILERS];

/* Values of a parameter: tile size, saved registers from 32 on, registers, banks. A list ends with an empty step. */
struct sl_isa64_step {
  unsigned value;
  const char *word;
  bool small;        /* also at size small */
  const char *saved; /* the callee-saved registers, as the compiler's option */
};

extern const struct sl_isa64_step sl_isa64_tiles[], sl_isa64_saved[], sl_isa64_registers[], sl_isa64_banks[];

/* The first step from `step` on that the runs have. */
const struct sl_isa64_step *sl_isa64_step(const struct sl_paper_runs *runs, const struct sl_isa64_step *step);

enum {
  SL_ISA64_STEPS = 8, /* most steps of a list */
  SL_ISA64_USUAL_REGISTERS = 128,
  SL_ISA64_USUAL_BANKS = 4,
  SL_ISA64_USUAL_SAVED = 48,
  SL_ISA64_DEPTH = 64 /* size of every matrix product */
};

/* A tile has `tile` x `tile` elements. The result of gemm has 8 x 8 tiles, the paper's 16 x 16. */
enum { SL_ISA64_TILES_ACROSS = 8, SL_ISA64_PAPER_TILE = 4, SL_ISA64_PAPER_SIZE = 64 };

/* The kernels of bench-isa64/ that call functions: integers, and floats. */
extern const char *const sl_isa64_callers[2];

struct sl_isa64_program {
  char name[48];
  enum sl_isa64_part part;
  enum sl_isa64_compiler compiler;
  const char *source; /* relative path for sl_find_data() */
  unsigned tile, size;
  bool floats;
  unsigned registers, banks;
  const char *saved;                /* value of --saved; NULL: the default */
  unsigned instructions, conflicts; /* in the file; conflicts as Table 1 counts them; valid after compilation */
};

enum { SL_ISA64_PROGRAMS_MOST = 512, SL_ISA64_RUNS_MOST = 512 };

struct sl_isa64_state {
  struct sl_isa64_program programs[SL_ISA64_PROGRAMS_MOST];
  size_t program_count;
};

/* The program of a run; NULL: the kernel's plain variant from the build. */
const struct sl_isa64_program *sl_isa64_program(const struct sl_paper_runs *runs, const struct sl_paper_run *run);

/* Finds a run by its printf-formatted name, such as "gemm-cost"; NULL if it was not chosen. */
const struct sl_paper_run *sl_isa64_find(const struct sl_paper_runs *runs, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Compiles missing programs into programs/ of the folder. Returns the first error. */
enum sl_status sl_isa64_compile(struct sl_paper_runs *runs, struct sl_error *err);

/* Fill the input buffers of a bare program before its run, and check its results; SL_CHECK_FAILED if they are wrong. */
void sl_isa64_fill(struct sl_device *device, const struct sl_isa64_program *program);
enum sl_status sl_isa64_check(const struct sl_device *device, const struct sl_isa64_program *program,
                              struct sl_error *err);

#endif
