/* Blocks of PTX grids in checkpoints, and the linear registers of an SM. */
#ifndef SL_PTX_RUN_PTX_BLOCK_TAPE_H
#define SL_PTX_RUN_PTX_BLOCK_TAPE_H

#include "base/state_tape.h"
#include "ptx/run/ptx_linear.h"

/* The functions of a launch's module that its kernel can come to: those whose registers and frames its blocks have. */
struct sl_ptx_reach {
  const struct sl_ptx_launch *launch;
  bool *function; /* by number */
};

/* False: no memory. */
bool sl_ptx_reach_find(struct sl_ptx_reach *reach, const struct sl_ptx_launch *launch);
void sl_ptx_reach_free(struct sl_ptx_reach *reach);

/* It is read into one that has been made, and if the kernel has linear registers has been given those of its SM. */
void sl_ptx_block_tape(struct sl_tape *tape, struct sl_ptx_block *block, const struct sl_ptx_reach *reach);

/* Likewise; those of an SM. */
void sl_ptx_linear_tape(struct sl_tape *tape, struct sl_ptx_linear_registers *registers);

#endif
