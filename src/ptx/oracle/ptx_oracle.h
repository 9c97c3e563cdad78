/* Oracles: determine the warp instructions that a machine with perfect knowledge of all values would eliminate. They
 * are optimistic models of the two published machines that the R2D2 paper (ISCA 2023) compares with. They do not model
 * misses caused by limited tables or time.
 *
 * DAC: decoupled affine computation (K. Wang and C. Lin, ISCA 2017). Results of a block's warps at the same occurrence
 * of an instruction are computed once if they are affine: the step over lanes is the same for all warps, and the first
 * values are affine in the warp's number. Integer values only.
 *
 * DARSIE (T. Yeh et al., ASPLOS 2020): a warp eliminates an instruction that another warp of its block has executed
 * before with the same lanes and operands, at the same occurrence of the instruction. This includes loads, if the block
 * has neither written that address nor passed a barrier since. With the scalar pipeline, a remaining instruction needs
 * one lane if all lanes read the same operands. */
#ifndef SL_PTX_ORACLE_PTX_ORACLE_H
#define SL_PTX_ORACLE_PTX_ORACLE_H

#include "ptx/oracle/ptx_marks.h"
#include "ptx/run/ptx_grid.h"

enum sl_ptx_oracle { SL_PTX_NO_ORACLE, SL_PTX_DAC, SL_PTX_DARSIE, SL_PTX_DARSIE_SCALAR };

struct sl_ptx_spared {
  uint64_t warp_insns, thread_insns; /* eliminated */
  uint64_t scalar;                   /* of the others: warp instructions that need one lane */
};

/* Runs a grid without timing and classifies its instructions: totals, and for each warp if `marks` is not NULL. Counts
 * are not reduced by the eliminated instructions. */
enum sl_status sl_ptx_oracle_run(enum sl_ptx_oracle oracle, const struct sl_ptx_launch *launch,
                                 const struct sl_ptx_bounds *bounds, struct sl_ptx_marks *marks,
                                 struct sl_ptx_counts *counts, struct sl_ptx_spared *spared, struct sl_error *err);

#endif
