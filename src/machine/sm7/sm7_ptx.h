/* PTX on the SM7 core: properties of its instructions, and its executor as the front end. */
#ifndef SL_MACHINE_SM7_PTX_H
#define SL_MACHINE_SM7_PTX_H

#include "machine/sm7/sm7_code.h"
#include "machine/sm7/sm7_gpu.h"
#include "machine/sm7/sm7_spec.h"
#include "ptx/oracle/ptx_oracle.h"
#include "ptx/ptx.h"
#include "ptx/run/ptx_access.h"
#include "ptx/run/ptx_grid.h"
#include "ptx/run/ptx_linear.h"

/* Launches with an oracle that determines the eliminated instructions in advance (ptx/oracle/ptx_oracle.h), and
 * instructions that the scalar pipeline executes with one lane.
 *
 * The grid first runs without timing, and its memory is then restored. In the timed run each warp looks up the oracle's
 * classification of each instruction. A warp can leave the predicted path if the kernel depends on the order of
 * threads; from there on none of its instructions are eliminated. Eliminated instructions still execute functionally,
 * without time. */

struct sl_sm7_oracle {
  struct sl_ptx_marks marks;
  struct sl_ptx_place_of_marks *place; /* by SM and warp; NULL: there is no oracle */
  bool *scalar;                        /* by PC; NULL: none */
  unsigned warps;                      /* of a block */
};

/* Creates the oracle that the keys select, NULL for none. The caller frees it (sl_sm7_oracle_free), also after a
 * failure. SL_USAGE: the run has checkpoints, which cannot hold the oracle. */
enum sl_status sl_sm7_oracle_ask(struct sl_sm7_oracle **oracle, const struct sl_sm7_spec *spec,
                                 const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                                 struct sl_error *err);
void sl_sm7_oracle_free(struct sl_sm7_oracle *oracle);

/* Runs a launch without timing and counts the instructions that are not eliminated. */
enum sl_status sl_sm7_oracle_count(const struct sl_sm7_spec *spec, const struct sl_ptx_launch *launch,
                                   const struct sl_ptx_bounds *bounds, struct sl_ptx_counts *counts,
                                   struct sl_ptx_spared *spared, struct sl_error *err);

/* A block begins in a slot of an SM. */
void sl_sm7_oracle_begin(struct sl_sm7_oracle *oracle, unsigned sm, unsigned slot, uint64_t block);

static inline struct sl_ptx_place_of_marks *sl_sm7_oracle_at(const struct sl_sm7_oracle *o, unsigned sm, unsigned slot,
                                                             unsigned warp)
{
  return &o->place[sm * SL_SM7_MAX_WARPS + slot * o->warps + warp];
}

/* State that SMs simulated in parallel do not share. */
struct sl_sm7_ptx_sm {
  struct sl_ptx_fault fault;
  bool faulted;
  struct sl_error error; /* of a block's beginning; code SL_OK: none */
  struct sl_ptx_late late;
  struct sl_ptx_linear_registers linear;
};

struct sl_sm7_ptx {
  const struct sl_ptx_launch *launch;
  struct sl_sm7_observation *observation; /* of the observer; NULL: none */
  uint32_t updates;                       /* enum sl_sm7_ur */
  bool lowered;                           /* some instructions are free (sm7_lower.h) */
  struct sl_sm7_oracle *oracle;           /* NULL: nothing is eliminated or scalar */
  struct sl_sm7_instruction *code;
  struct sl_ptx_block *block; /* by SM and block slot */
  struct sl_ptx_warp **warps; /* of each */
  struct sl_sm7_ptx_sm *sm;
  unsigned sms;
  bool side_by_side; /* accesses to global memory are deferred */
  bool fragments;    /* shared.fragments */
};

/* Creates the program of a launch, for SMs that may be simulated in parallel; keep it until sl_sm7_ptx_close. `kept`:
 * sms * SL_SM7_MAX_BLOCKS blocks, zero at first. They keep their storage from launch to launch; the caller frees them.
 * SL_FAULT: the kernel has too many registers. */
enum sl_status sl_sm7_ptx_open(struct sl_sm7_ptx *p, const struct sl_ptx_launch *launch, struct sl_ptx_block *kept,
                               unsigned sms, bool side_by_side, struct sl_error *err);
void sl_sm7_ptx_close(struct sl_sm7_ptx *p);

/* The facts about the instructions of a module, which the caller frees. NULL: no memory. */
struct sl_sm7_instruction *sl_sm7_ptx_code(const struct sl_ptx_module *module);

struct sl_sm7_front sl_sm7_ptx_front(struct sl_sm7_ptx *p);

/* Between two cycles: whether a livelock is proved. Records it as the fault. */
bool sl_sm7_ptx_is_livelocked(struct sl_sm7_ptx *p, struct sl_sm7_gpu *gpu);

/* Resources that a launch needs of an SM, for the given registers per thread. */
struct sl_sm7_demand sl_sm7_ptx_demand(const struct sl_ptx_launch *launch, uint32_t registers);

/* The fault that ended a run with SL_FAULT; kind SL_PTX_FAULT_NONE: none, a block could not begin. */
struct sl_ptx_fault sl_sm7_ptx_fault_of(const struct sl_sm7_ptx *p);

/* Its message. */
enum sl_status sl_sm7_ptx_fault(const struct sl_sm7_ptx *p, struct sl_error *err);

/* Visits the blocks and the linear registers of the launch, between two runs of the GPU. They are restored into a newly
 * opened program. */
void sl_sm7_ptx_archive(struct sl_archive *archive, struct sl_sm7_ptx *ptx);

/* ---- matrices in shared memory (sm7_operands.c) ----------------------------------------------------------------- */

/* How Volta moves the matrices of wmma (16 x 16 x 16) between registers and shared memory (shared.fragments).
 *
 * wmma.load and wmma.store of PTX are several loads or stores of machine code. Four lanes are a thread group. Of the
 * factors each element is in two lanes, so a warp reads 1,024 bytes for 512:
 *
 *   A by rows, B by columns    a lane has a row of A, a column of B: two accesses of 16 bytes
 *   A by columns, B by rows    four parts of a line: four accesses of 8 bytes
 *   sums of f32                by rows pairs of elements: four accesses of 8 bytes; by columns eight of 4 bytes
 *   sums of f16                by rows one access of 16 bytes; by columns eight of 2 bytes
 *
 * An access of 16 bytes has four passes, of eight lanes each; one of 8 bytes two. A pass takes a cycle for each
 * different word in one bank.
 *
 * Sources: rows and columns of thread groups: Raihan et al., arXiv:1811.08309, section III (table II), and
 * thread_group_offset of GPGPU-Sim, whose columns of B are others. Widths: the same function, and the shared-memory
 * instructions of a Quadro V100, which they explain to the instruction (reference/silicon). Passes: CUDA C Programming
 * Guide 4.2, section F.4.3. */

struct sl_sm7_fragment_cost {
  unsigned accesses, cycles;
};

/* Of an instruction of kind TILE whose line i is at line[i]. Other shapes and formats: no accesses. */
struct sl_sm7_fragment_cost sl_sm7_fragment_cost(const struct sl_ptx_insn *in, const uint64_t *line);

#endif
