/* Checkpoints of PTX on the SM7 core: the blocks and the linear registers of the current launch. */
#ifndef SL_MACHINE_SM7_PTX_ARCHIVE_H
#define SL_MACHINE_SM7_PTX_ARCHIVE_H

#include "base/state_archive.h"
#include "machine/sm7/sm7_ptx.h"

/* Valid between two runs of the GPU. The state is restored into a newly opened program. */
void sl_sm7_ptx_archive(struct sl_archive *archive, struct sl_sm7_ptx *ptx);

#endif
