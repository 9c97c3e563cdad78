/* The evaluation of R. R. Yan and S. Anand, "Redesigning the Vortex GPU ISA: 64-Bit Instruction Words and
 * Conflict-Aware Register Allocation", section 4, and what it leaves open: larger tiles, the division into saved and
 * temporary registers, and time on a pipeline.
 *
 * Programs are compiled on the fly. Those of bench-isa64/ are bare and run on the paper's emulator, their buffers
 * filled and their results checked through the device's memory; those of bench-vortex/ run on the Vortex pipeline and
 * check themselves. */
#ifndef SL_CLI_PAPER_ISA64_H
#define SL_CLI_PAPER_ISA64_H

#include "cli/bench/bench.h"
#include "cli/paper/paper.h"

/* What --only chooses from. */
enum sl_isa64_part {
  SL_ISA64_VECADD,
  SL_ISA64_GEMM,
  SL_ISA64_TILES,
  SL_ISA64_CALLS,
  SL_ISA64_KERNELS, /* of bench-vortex/, from here on */
  SL_ISA64_PARTS = SL_ISA64_KERNELS + 7
};

extern const char *const sl_isa64_parts[SL_ISA64_PARTS];

/* The stock compiler's code for 32 registers, and the allocations for more. */
enum sl_isa64_compiler { SL_ISA64_STOCK, SL_ISA64_UNAWARE, SL_ISA64_FIRST_FIT, SL_ISA64_COST, SL_ISA64_COMPILERS };

extern const char *const sl_isa64_compilers[SL_ISA64_COMPILERS];

/* A value that is varied, for --size paper and for --size small. */
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
  SL_ISA64_DEPTH = 64 /* of every product of matrices */
};

/* A tile of `tile` x `tile`, 8 x 8 of which are the result of gemm; the paper's gemm has 16 x 16. */
enum { SL_ISA64_TILES_ACROSS = 8, SL_ISA64_PAPER_TILE = 4, SL_ISA64_PAPER_SIZE = 64 };

struct sl_isa64_program {
  char name[48];
  enum sl_isa64_part part;
  enum sl_isa64_compiler compiler;
  const char *source; /* relative, as sl_find_data() takes it */
  unsigned tile, size;
  bool floats;
  unsigned registers, banks;
  const char *saved; /* as --saved; NULL: the default */
  /* When it has been compiled. */
  struct sl_program *program;
  unsigned instructions, conflicts; /* in the file; the latter as Table 1 counts them */
};

enum sl_isa64_machine {
  SL_ISA64_EMULATOR, /* the paper's: the first warp that returns ends the run */
  SL_ISA64_TO_END,   /* the same until all have returned */
  SL_ISA64_WIDE,     /* vortex64, with each number of registers and banks */
  SL_ISA64_RV32 = SL_ISA64_WIDE + SL_ISA64_STEPS * SL_ISA64_STEPS, /* vortex, with each number of banks */
  SL_ISA64_MACHINES = SL_ISA64_RV32 + SL_ISA64_STEPS
};

enum { SL_ISA64_PROGRAMS_MOST = 512, SL_ISA64_RUNS_MOST = 512, SL_ISA64_RV32_PROGRAM = SL_ISA64_PROGRAMS_MOST };

struct sl_isa64_run {
  char name[48];
  enum sl_isa64_part part;
  size_t program; /* or SL_ISA64_RV32_PROGRAM: the kernel's plain form, as built */
  size_t machine; /* enum sl_isa64_machine and on */
  enum sl_status code;
  struct sl_error error;
  uint64_t counters[SL_MAX_COUNTERS]; /* of vortex and vortex64 those of the kernel */
};

struct sl_isa64_runs {
  const struct sl_paper *paper;
  const struct sl_paper_order *order;
  bool small, chosen[SL_ISA64_PARTS];
  struct sl_isa64_ranges ranges;
  struct sl_config machines[SL_ISA64_MACHINES]; /* machine == NULL: not in use */
  struct sl_isa64_program programs[SL_ISA64_PROGRAMS_MOST];
  struct sl_isa64_run runs[SL_ISA64_RUNS_MOST];
  size_t program_count, count, reused;
  uint64_t build; /* hash of the command */
};

/* Lists the programs and runs of the chosen parts, and opens the machines. */
enum sl_status sl_isa64_plan(struct sl_isa64_runs *runs, struct sl_error *err);

/* "48-79": which of the registers from 32 on are the saved ones, of so many. */
const char *sl_isa64_saved_list(unsigned saved);

/* Compiles what is not there from earlier into programs/ of the folder, and loads all. The first failure is the
 * error. */
enum sl_status sl_isa64_compile(struct sl_isa64_runs *runs, struct sl_error *err);

/* What bare programs read, before the run; whether it has made the right result, SL_CHECK_FAILED if not. */
void sl_isa64_fill(struct sl_device *device, const struct sl_isa64_program *program);
enum sl_status sl_isa64_check(const struct sl_device *device, const struct sl_isa64_program *program,
                              struct sl_error *err);

/* Does what is not kept from earlier. A run that fails is only in its place. */
enum sl_status sl_isa64_run(struct sl_isa64_runs *runs, struct sl_error *err);

/* Tells on standard error which runs failed; the worst code of them. */
enum sl_status sl_isa64_print_failures(const struct sl_isa64_runs *runs);

void sl_isa64_free(struct sl_isa64_runs *runs);

/* The run of this name, printf-like, such as "gemm-cost"; NULL when it is not among those chosen. */
const struct sl_isa64_run *sl_isa64_find(const struct sl_isa64_runs *runs, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A counter of a run, 0 when its machine has none of that name, and of no run. */
uint64_t sl_isa64_counter(const struct sl_isa64_runs *runs, const struct sl_isa64_run *run, const char *name);

#endif
