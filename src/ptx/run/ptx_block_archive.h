/* Checkpoints of the blocks of PTX grids, and of the linear registers of an SM. */
#ifndef SL_PTX_RUN_PTX_BLOCK_ARCHIVE_H
#define SL_PTX_RUN_PTX_BLOCK_ARCHIVE_H

#include "base/schema.h"
#include "ptx/run/ptx_linear.h"

/* The functions of a launch's module that its kernel can reach. Blocks have the registers and frames of these
 * functions. */
struct sl_ptx_reach {
  const struct sl_ptx_launch *launch;
  bool *function; /* by number */
};

/* False: out of memory. */
bool sl_ptx_reach_find(struct sl_ptx_reach *reach, const struct sl_ptx_launch *launch);
void sl_ptx_reach_free(struct sl_ptx_reach *reach);

/* The state is restored into a newly created block; for a kernel with linear registers, the block must have those of
 * its SM. */
void sl_ptx_block_archive(struct sl_archive *archive, struct sl_ptx_block *block, const struct sl_ptx_reach *reach);

/* The same for the linear registers of an SM. */
void sl_ptx_linear_archive(struct sl_archive *archive, struct sl_ptx_linear_registers *registers);

#endif
