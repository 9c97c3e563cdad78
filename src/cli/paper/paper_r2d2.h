/* Reproduces section 5 and Figure 4 of D. Ha, Y. Oh and W. W. Ro, "R2D2: Removing ReDunDancy Utilizing Linearity of
 * Address Generation in GPUs" (ISCA 2023), on the programs of bench-r2d2/. simtlab linear adds kernels with linear
 * registers to the PTX modules and machine-code programs, in programs/ of the report's folder; all machines share them.
 * Each launch script runs on each configuration. The checksums of memory must equal the baseline's. */
#ifndef SL_CLI_PAPER_R2D2_H
#define SL_CLI_PAPER_R2D2_H

#include "cli/paper/paper_report.h"
#include "compiler/linear/linear_ideal.h"
#include "config/energy_set.h"

enum sl_r2d2_machine {
  SL_R2D2_BASE,
  SL_R2D2_LINEAR,
  SL_R2D2_DAC,
  SL_R2D2_DARSIE,
  SL_R2D2_DARSIE_SCALAR,
  SL_R2D2_RISCV_BASE, /* the same programs in machine code */
  SL_R2D2_RISCV_LINEAR,
  SL_R2D2_FETCH, /* the following are parameter studies, not run at size small */
  SL_R2D2_ID,
  SL_R2D2_ADD,
  SL_R2D2_WAIT,
  SL_R2D2_UR_BLOCK,
  SL_R2D2_UR_FREE,
  SL_R2D2_BASE_LRR,
  SL_R2D2_LINEAR_LRR,
  SL_R2D2_BASE_1,
  SL_R2D2_LINEAR_1,
  SL_R2D2_BASE_4,
  SL_R2D2_LINEAR_4,
  SL_R2D2_BASE_8,
  SL_R2D2_LINEAR_8,
  SL_R2D2_MACHINES
};

/* A launch script: a program of bench-r2d2/, backprop with fewer blocks (Table 3), or a program of one-dimensional
 * blocks with another block size. Means over programs include only the first kind. */
struct sl_r2d2_program {
  const char *name;
  const char *suite;
  unsigned blocks;  /* 0: unchanged */
  unsigned threads; /* threads of a block; 0: unchanged */
};

enum {
  SL_R2D2_PROGRAMS = 30,
  SL_R2D2_GRIDS = 5,
  SL_R2D2_SIZES = 4,
  SL_R2D2_SIZED = 7, /* programs */
  SL_R2D2_FIRST_SIZED = SL_R2D2_PROGRAMS + 2 * SL_R2D2_GRIDS,
  SL_R2D2_ALL = SL_R2D2_FIRST_SIZED + SL_R2D2_SIZES * SL_R2D2_SIZED
};

/* The programs, then forward and adjust of backprop for each number of blocks, then the programs for each block size.
 * The runs choose among all of them. */
extern const struct sl_r2d2_program sl_r2d2_programs[SL_R2D2_ALL];

struct sl_r2d2_state {
  uint64_t hashes[SL_R2D2_ALL]; /* hash of a program's module and launch script */
  struct sl_linear_ideals ideals[SL_R2D2_ALL];
  struct sl_energy_set energies;
};

const struct sl_paper_run *sl_r2d2_run(const struct sl_paper_runs *runs, size_t program, enum sl_r2d2_machine machine);

#endif
