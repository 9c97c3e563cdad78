/* Oracles: which instructions of warps a machine that knows all values beforehand would leave out. Optimistic models of
 * two published machines, as the paper on R2D2 (ISCA 2023) compares itself with: what those would miss for want of
 * tables or time is not modelled.
 *
 * DAC: decoupled affine computation (K. Wang and C. Lin, ISCA 2017). What the warps of a block have computed at an
 * instruction, each as often there as the others, is computed once if it is affine in the lane with a step that all
 * warps share, from first values that are affine in the warp's number. Integer values only.
 *
 * DARSIE (T. Yeh et al., ASPLOS 2020): a warp leaves out what another warp of its block has done before it with the
 * same lanes and the same operands, at the same instruction and as often there; also loads, if the block has neither
 * written there since nor passed a barrier. With the scalar pipeline what is left needs one lane where all lanes read
 * the same. */
#ifndef SL_PTX_ORACLE_PTX_ORACLE_H
#define SL_PTX_ORACLE_PTX_ORACLE_H

#include "ptx/oracle/ptx_marks.h"
#include "ptx/run/ptx_grid.h"

enum sl_ptx_oracle { SL_PTX_NO_ORACLE, SL_PTX_DAC, SL_PTX_DARSIE, SL_PTX_DARSIE_SCALAR };

struct sl_ptx_spared {
  uint64_t warp_insns, thread_insns; /* left out */
  uint64_t scalar;                   /* of the others: warp instructions that need one lane */
};

/* Runs a grid without time and says what would be left out: in sum, and of each warp if `marks` is not NULL. Of the
 * counts nothing is taken. */
enum sl_status sl_ptx_oracle_run(enum sl_ptx_oracle oracle, const struct sl_ptx_launch *launch,
                                 const struct sl_ptx_bounds *bounds, struct sl_ptx_marks *marks,
                                 struct sl_ptx_counts *counts, struct sl_ptx_spared *spared, struct sl_error *err);

#endif
